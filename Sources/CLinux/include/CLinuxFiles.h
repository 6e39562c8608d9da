#pragma once
// File calls whose declarations glibc hides behind _GNU_SOURCE, which Swift does not define.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// renameat2(2) with RENAME_EXCHANGE: swaps two names of one folder in one step.
static inline int clinux_exchange_names(int folder, const char *first, const char *second) {
  return (int)syscall(SYS_renameat2, folder, first, folder, second, 2u);
}

// renameat2(2) with RENAME_NOREPLACE: gives a file of one folder a name that nothing has yet.
static inline int clinux_rename_to_new_name(int folder, const char *name, const char *new_name) {
  return (int)syscall(SYS_renameat2, folder, name, folder, new_name, 1u);
}

// syncfs(2): writes to the disk all that the file system of the open file holds.
static inline int clinux_sync_file_system(int descriptor) {
  return (int)syscall(SYS_syncfs, descriptor);
}

/// accept4(2), non-blocking and closed on exec. The descriptor, or a negated errno.
long clinux_accept(int listener);
/// Blocks two signals in this thread, and those it makes, and returns a descriptor that is readable
/// when one has come (signalfd(2)), non-blocking and closed on exec; or a negated errno.
long clinux_signal_descriptor(int one, int other);
