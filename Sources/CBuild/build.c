#include "CBuild.h"

#pragma clang diagnostic ignored "-Wnullability-extension"

#ifndef VESTIBULE_COMMIT
#define VESTIBULE_COMMIT ""
#endif

const char *_Nonnull const vestibule_commit = VESTIBULE_COMMIT;
