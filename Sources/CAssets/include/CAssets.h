#pragma once
#include <stddef.h>

/// A file that is built into the program: its path in the project, and its bytes.
typedef struct {
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
} VestibuleFile;

/// All built-in files, in the order of `files.c`; they are never written to.
extern const VestibuleFile *_Nonnull const vestibule_files;
extern const size_t vestibule_file_count;
