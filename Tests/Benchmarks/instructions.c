/* Counts the instructions that a program executes: a plugin of qemu-user, which is told where to write the sum.

   Debian has no header for QEMU's plugins; what is used of it is declared here (QEMU, "QEMU TCG Plugins", version 1 of
   the interface). The sum is eight bytes of a file that is mapped, so that it can be read while the program runs. */

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

EXPORT int qemu_plugin_version = 1;

static uint64_t *sum;

/* Each thread of the program comes here, so the addition must be atomic. */
static void executed(unsigned processor, void *count) {
  (void)processor;
  __atomic_fetch_add(sum, (uint64_t)(uintptr_t)count, __ATOMIC_RELAXED);
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

/* The one argument is sum=FILE. */
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argument_count, char **arguments) {
  (void)info;
  if (argument_count != 1 || strncmp(arguments[0], "sum=", 4) != 0) return 1;
  int file = open(arguments[0] + 4, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *sum) != 0) return 1;
  sum = mmap(NULL, sizeof *sum, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (sum == MAP_FAILED) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
