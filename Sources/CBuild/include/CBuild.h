#pragma once

/// The commit that was built, such as `0043710b7d13`, with `+` behind it where files differed; empty where the build was
/// not told (VESTIBULE_COMMIT).
extern const char *_Nonnull const vestibule_commit;
