/* Makes the database's writes and syncs fail, as on a full or a broken disk; preloaded into the program.
 *
 * `FAILING_WRITES` names a file of three 32-bit numbers, which stays mapped: how many writes and syncs of the database
 * there were, from which one on they fail (0: none does), and with which `errno`. A write to it takes effect at once.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct plan {
  _Atomic uint32_t count, first, error;
};

static struct plan *plan;

__attribute__((constructor)) static void read_plan(void) {
  const char *path = getenv("FAILING_WRITES");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) plan = mapped;
  close(file);
}

/* Whether this is one that fails: of a file of the database, or of its log. */
static int fails(int file) {
  if (!plan) return 0;
  char link[40], name[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = 0;
  if (!strstr(name, ".sqlite")) return 0;
  uint32_t number = atomic_fetch_add(&plan->count, 1) + 1, first = atomic_load(&plan->first);
  if (!first || number < first) return 0;
  errno = (int)atomic_load(&plan->error);
  return 1;
}

#define WRITING(type, name, parameters, arguments)                                                                     \
  type name parameters {                                                                                               \
    static type(*original) parameters;                                                                                 \
    if (!original) original = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                             \
    return fails(file) ? -1 : original arguments;                                                                      \
  }

WRITING(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRITING(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
WRITING(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t offset), (file, bytes, count, offset))
WRITING(int, ftruncate, (int file, off_t length), (file, length))
WRITING(int, ftruncate64, (int file, off64_t length), (file, length))
WRITING(int, fallocate, (int file, int mode, off_t offset, off_t length), (file, mode, offset, length))
WRITING(int, fsync, (int file), (file))
WRITING(int, fdatasync, (int file), (file))
