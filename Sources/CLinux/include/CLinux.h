// Calls that Swift cannot import: variadic functions, function-like macros, structures with unions,
// and system calls for which Debian 12's C library has no wrapper. Nothing else belongs here.
// Unless it says otherwise, a function returns the kernel's result, or the negated errno.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "CLinuxAffinity.h"
#include "CLinuxFiles.h"
#include "CLinuxSeccomp.h"
#include "CLinuxShared.h"
#include "CLinuxTerminal.h"
#include "CLinuxTrace.h"
#include "CLinuxTrial.h"

struct iovec;

/// prctl(2) with its four arguments.
long clinux_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

/// fcntl(2) with an integer argument.
long clinux_fcntl(int descriptor, int command, long argument);

/// open(2), always with O_CLOEXEC.
long clinux_open(const char *path, int flags, unsigned mode);

/// pipe2(2) with O_CLOEXEC: the read end, then the write end.
long clinux_pipe(int ends[2]);

long clinux_close_range(unsigned first, unsigned last, unsigned flags);
long clinux_memfd_create(const char *name, unsigned flags);

long clinux_pidfd_open(pid_t process, unsigned flags);
long clinux_pidfd_getfd(int pidfd, int target, unsigned flags);
/// Whether two threads are known to have one table of descriptors: kcmp(2), `KCMP_FILES`. False as well
/// (0) where the kernel does not say.
int clinux_shares_descriptors(pid_t thread, pid_t other);
long clinux_pidfd_send_signal(int pidfd, int signal);

/// What waitid(2) found: `code` is CLD_EXITED and so on, or 0 if nothing has happened yet.
struct clinux_wait_result {
  pid_t process;
  int code;
  int status;
};
/// waitid(2) for a process named by pidfd (`by_descriptor`) or by number, always with WNOHANG.
long clinux_waitid(int by_descriptor, int identifier, int options, struct clinux_wait_result *result);
/// Waits until the child named by a pidfd has ended, and takes its status.
long clinux_wait_for_exit(int pidfd);
/// Takes the status of every child in a process group that has ended; ECHILD when no child is left
/// in it.
long clinux_reap_group(pid_t group);

/// Whether something is at a path, as far as the kernel has it in memory: openat2(2) with
/// RESOLVE_CACHED, Linux 5.12. Nothing is asked of a disk, a network or an automounter, so it never
/// waits.
long clinux_is_cached(const char *path);

/// Landlock(7). `attributes` is struct landlock_ruleset_attr as the running kernel knows it.
struct clinux_landlock_ruleset {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};
long clinux_landlock_abi(void);
long clinux_landlock_create_ruleset(const struct clinux_landlock_ruleset *attributes, size_t size);
long clinux_landlock_add_path(int ruleset, uint64_t allowed, int parent);
long clinux_landlock_restrict_self(int ruleset);

/// seccomp(2): SECCOMP_SET_MODE_FILTER over `count` instructions of 8 bytes.
long clinux_seccomp_load(const void *instructions, unsigned short count, unsigned long flags);
/// The same without a program: -EFAULT if the kernel knows all the flags.
long clinux_seccomp_probe(unsigned long flags);
/// seccomp(2): SECCOMP_GET_ACTION_AVAIL.
long clinux_seccomp_action_available(uint32_t action);

/// capset(2) for the calling thread with all three sets given as 64-bit masks.
long clinux_capset(uint64_t effective, uint64_t permitted, uint64_t inheritable);
long clinux_capget(uint64_t *effective, uint64_t *permitted, uint64_t *inheritable);

/// The raw calls, which change the calling thread alone: for single-threaded programs.
long clinux_setgroups_none(void);
/// Real, effective and saved, in this order.
long clinux_getresuid(uid_t users[3]);
long clinux_getresgid(gid_t groups[3]);
long clinux_setresgid(gid_t group);
long clinux_setresuid(uid_t user);

long clinux_unshare(unsigned long flags);
/// clone(2) without a new stack, as fork(2) does it: returns twice. Single-threaded programs only.
long clinux_clone(unsigned long flags);
/// pivot_root(2) of the working directory onto itself: the old root is left on top of it.
long clinux_pivot_here(void);
long clinux_mount(
  const char *source, const char *target, const char *type, unsigned long flags, const char *data);
/// umount2(2) with MNT_DETACH.
long clinux_unmount(const char *target);
/// open_tree(2): a detached copy of what is mounted at `path`, with all beneath it.
long clinux_copy_tree(const char *path);
/// mount_setattr(2) on a whole tree: MOUNT_ATTR_* to set.
long clinux_tree_attributes(int tree, uint64_t set);
/// move_mount(2) of a detached tree to `target`.
long clinux_attach_tree(int tree, const char *target);
long clinux_mkdir(const char *path, unsigned mode);
long clinux_symlink(const char *destination, const char *path);
long clinux_sethostname(const char *name);

/// setrlimit(2)/getrlimit(2): glibc's enumerated first parameter differs between languages.
long clinux_setrlimit(int resource, uint64_t soft, uint64_t hard);
long clinux_getrlimit(int resource, uint64_t *soft, uint64_t *hard);

/// Every signal that can have a handler back to its default, and nothing blocked.
long clinux_reset_signals(void);
/// A signal ignored in the whole process.
long clinux_ignore_signal(int signal);

/// execve(2).
long clinux_execve(const char *path, char *const *arguments, char *const *environment);
/// _exit(2) of the whole process, without running handlers.
_Noreturn void clinux_exit(int status);

/// process_vm_readv(2) of one range: bytes read, or the negated errno.
long clinux_read_memory(pid_t process, uint64_t address, void *buffer, size_t count);

/// timerfd with a first expiry and an interval in nanoseconds; 0 disarms it.
long clinux_timer_create(void);
long clinux_timer_set(int descriptor, uint64_t interval_nanoseconds);

long clinux_epoll_create(void);
/// EPOLL_CTL_ADD for input of `descriptor`.
long clinux_epoll_add(int epoll, int descriptor);
long clinux_epoll_remove(int epoll, int descriptor);
/// EPOLL_CTL_ADD, or EPOLL_CTL_MOD for a descriptor that is in it: level triggered, for `events`.
long clinux_epoll_set(int epoll, int descriptor, uint32_t events);

struct clinux_ready {
  int descriptor;
  uint32_t events;
};
/// epoll_wait(2), of at most 512 descriptors; 0 after a signal.
long clinux_epoll_wait(int epoll, struct clinux_ready *ready, int count, int milliseconds);

/// What fstat(2) says, in fixed widths.
struct clinux_file_status {
  uint64_t device;
  uint64_t inode;
  uint32_t mode;
  uint32_t owner;
  uint32_t group;
  int64_t size;
};
long clinux_fstat(int descriptor, struct clinux_file_status *status);

/// posix_spawn(3) with up to `count` descriptors put in place (`sources[i]` becomes `targets[i]`),
/// every signal at its default, none blocked, and in a session of its own if it
/// `begins_session`. `path` may be /proc/self/fd/N.
long clinux_spawn(
  const char *path, char *const *arguments, char *const *environment, const int *sources,
  const int *targets, size_t count, int begins_session, pid_t *process);
