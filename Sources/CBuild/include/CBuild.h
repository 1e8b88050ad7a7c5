#pragma once

/// The commit that was built, such as `0043710b7d13`, followed by `+` if files differed from it; empty if the build did
/// not know it (VESTIBULE_COMMIT).
extern const char *_Nonnull const vestibule_commit;
