#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/kcmp.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Numbers that are the same on every architecture, for C libraries that are older than the calls.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static long result(long value) { return value < 0 ? -errno : value; }

long clinux_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  return result(prctl(option, a, b, c, d));
}

long clinux_fcntl(int descriptor, int command, long argument) {
  return result(fcntl(descriptor, command, argument));
}

long clinux_open(const char *path, int flags, unsigned mode) {
  return result(open(path, flags | O_CLOEXEC, mode));
}

long clinux_pipe(int ends[2]) { return result(pipe2(ends, O_CLOEXEC)); }

long clinux_close_range(unsigned first, unsigned last, unsigned flags) {
  return result(syscall(SYS_close_range, first, last, flags));
}

long clinux_memfd_create(const char *name, unsigned flags) {
  return result(syscall(SYS_memfd_create, name, flags));
}

long clinux_pidfd_open(pid_t process, unsigned flags) {
  return result(syscall(SYS_pidfd_open, process, flags));
}

long clinux_pidfd_getfd(int pidfd, int target, unsigned flags) {
  return result(syscall(SYS_pidfd_getfd, pidfd, target, flags));
}

int clinux_shares_descriptors(pid_t thread, pid_t other) {
  return syscall(SYS_kcmp, thread, other, KCMP_FILES, 0, 0) == 0;
}

long clinux_pidfd_send_signal(int pidfd, int signal) {
  return result(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

long clinux_waitid(int by_descriptor, int identifier, int options, struct clinux_wait_result *out) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  idtype_t type = by_descriptor ? (idtype_t)P_PIDFD : P_PID;
  if (waitid(type, (id_t)identifier, &information, options | WNOHANG) < 0) return -errno;
  out->process = information.si_pid;
  out->code = information.si_pid == 0 ? 0 : information.si_code;
  out->status = information.si_status;
  return 0;
}

long clinux_wait_for_exit(int pidfd) {
  siginfo_t information;
  int code;
  do {
    code = waitid((idtype_t)P_PIDFD, (id_t)pidfd, &information, WEXITED);
  } while (code < 0 && errno == EINTR);
  return code < 0 ? -errno : 0;
}

long clinux_reap_group(pid_t group) {
  siginfo_t information;
  do {
    information.si_pid = 0;
    if (waitid(P_PGID, (id_t)group, &information, WEXITED | WNOHANG) < 0 && errno != EINTR) {
      return -errno;
    }
  } while (information.si_pid != 0);
  return 0;
}

long clinux_is_cached(const char *path) {
  struct open_how how = {
    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
    .resolve = RESOLVE_NO_MAGICLINKS | RESOLVE_CACHED,
  };
  long descriptor = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (descriptor < 0) return -errno;
  close((int)descriptor);
  return 0;
}

long clinux_landlock_abi(void) {
  return result(syscall(SYS_landlock_create_ruleset, NULL, 0, 1u /* ..._VERSION */));
}

long clinux_landlock_create_ruleset(const struct clinux_landlock_ruleset *attributes, size_t size) {
  return result(syscall(SYS_landlock_create_ruleset, attributes, size, 0));
}

long clinux_landlock_add_path(int ruleset, uint64_t allowed, int parent) {
  struct {
    uint64_t allowed_access;
    int32_t parent_fd;
  } __attribute__((packed)) rule = {allowed, parent};
  return result(syscall(SYS_landlock_add_rule, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0));
}

long clinux_landlock_restrict_self(int ruleset) {
  return result(syscall(SYS_landlock_restrict_self, ruleset, 0));
}

long clinux_seccomp_load(const void *instructions, unsigned short count, unsigned long flags) {
  struct sock_fprog program = {count, (struct sock_filter *)instructions};
  return result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

long clinux_seccomp_probe(unsigned long flags) {
  return result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, NULL));
}

long clinux_seccomp_action_available(uint32_t action) {
  return result(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

long clinux_capset(uint64_t effective, uint64_t permitted, uint64_t inheritable) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {
    {(uint32_t)effective, (uint32_t)permitted, (uint32_t)inheritable},
    {(uint32_t)(effective >> 32), (uint32_t)(permitted >> 32), (uint32_t)(inheritable >> 32)},
  };
  return result(syscall(SYS_capset, &header, data));
}

long clinux_capget(uint64_t *effective, uint64_t *permitted, uint64_t *inheritable) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  if (syscall(SYS_capget, &header, data) < 0) return -errno;
  *effective = data[0].effective | (uint64_t)data[1].effective << 32;
  *permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
  *inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
  return 0;
}

long clinux_setgroups_none(void) { return result(syscall(SYS_setgroups, 0, NULL)); }

long clinux_getresuid(uid_t users[3]) {
  return result(getresuid(&users[0], &users[1], &users[2]));
}

long clinux_getresgid(gid_t groups[3]) {
  return result(getresgid(&groups[0], &groups[1], &groups[2]));
}

long clinux_setresgid(gid_t group) { return result(syscall(SYS_setresgid, group, group, group)); }

long clinux_setresuid(uid_t user) { return result(syscall(SYS_setresuid, user, user, user)); }

long clinux_unshare(unsigned long flags) { return result(syscall(SYS_unshare, flags)); }

long clinux_clone(unsigned long flags) {
#if defined(__s390__) || defined(__CRIS__)
  return result(syscall(SYS_clone, NULL, flags, NULL, NULL, 0));
#else
  return result(syscall(SYS_clone, flags, NULL, NULL, NULL, 0));
#endif
}

long clinux_pivot_here(void) { return result(syscall(SYS_pivot_root, ".", ".")); }

long clinux_mount(
  const char *source, const char *target, const char *type, unsigned long flags, const char *data) {
  return result(mount(source, target, type, flags, data));
}

long clinux_unmount(const char *target) { return result(umount2(target, MNT_DETACH)); }

long clinux_copy_tree(const char *path) {
  // OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE
  return result(syscall(SYS_open_tree, AT_FDCWD, path, 1u | O_CLOEXEC | 0x8000u));
}

long clinux_tree_attributes(int tree, uint64_t set) {
  struct {
    uint64_t attr_set, attr_clr, propagation, userns_fd;
  } attributes = {set, 0, 0, 0};
  // AT_EMPTY_PATH | AT_RECURSIVE
  return result(
    syscall(SYS_mount_setattr, tree, "", 0x1000u | 0x8000u, &attributes, sizeof attributes));
}

long clinux_attach_tree(int tree, const char *target) {
  return result(syscall(SYS_move_mount, tree, "", AT_FDCWD, target, 4u /* F_EMPTY_PATH */));
}

long clinux_mkdir(const char *path, unsigned mode) { return result(mkdir(path, mode)); }

long clinux_symlink(const char *destination, const char *path) {
  return result(symlink(destination, path));
}

long clinux_sethostname(const char *name) { return result(sethostname(name, strlen(name))); }

long clinux_setrlimit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {soft, hard};
  return result(setrlimit(resource, &limit));
}

long clinux_getrlimit(int resource, uint64_t *soft, uint64_t *hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0) return -errno;
  *soft = limit.rlim_cur;
  *hard = limit.rlim_max;
  return 0;
}

long clinux_reset_signals(void) {
  for (int number = 1; number <= SIGRTMAX; number++) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);  // EINVAL for the C library's own two signals
  }
  sigset_t none;
  sigemptyset(&none);
  return result(sigprocmask(SIG_SETMASK, &none, NULL));
}

long clinux_ignore_signal(int number) {
  return signal(number, SIG_IGN) == SIG_ERR ? -errno : 0;
}

long clinux_execve(const char *path, char *const *arguments, char *const *environment) {
  return result(execve(path, arguments, environment));
}

_Noreturn void clinux_exit(int status) { _exit(status); }

long clinux_read_memory(pid_t process, uint64_t address, void *buffer, size_t count) {
  struct iovec local = {buffer, count};
  struct iovec remote = {(void *)(uintptr_t)address, count};
  return result(process_vm_readv(process, &local, 1, &remote, 1, 0));
}

long clinux_timer_create(void) {
  return result(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

long clinux_timer_set(int descriptor, uint64_t interval_nanoseconds) {
  struct itimerspec setting;
  setting.it_value.tv_sec = (time_t)(interval_nanoseconds / 1000000000u);
  setting.it_value.tv_nsec = (long)(interval_nanoseconds % 1000000000u);
  setting.it_interval = setting.it_value;
  return result(timerfd_settime(descriptor, 0, &setting, NULL));
}

long clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

long clinux_epoll_add(int epoll, int descriptor) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  return result(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

long clinux_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  return result(epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event));
}

long clinux_epoll_set(int epoll, int descriptor, uint32_t events) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.fd = descriptor;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0) return 0;
  if (errno != EEXIST) return -errno;
  return result(epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event));
}

long clinux_epoll_wait(int epoll, struct clinux_ready *ready, int count, int milliseconds) {
  struct epoll_event events[512];
  int found = epoll_wait(epoll, events, count < 512 ? count : 512, milliseconds);
  if (found < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < found; index++) {
    ready[index].descriptor = events[index].data.fd;
    ready[index].events = events[index].events;
  }
  return found;
}

static void convert(const struct stat *from, struct clinux_file_status *to) {
  to->device = from->st_dev;
  to->inode = from->st_ino;
  to->mode = from->st_mode;
  to->owner = from->st_uid;
  to->group = from->st_gid;
  to->size = from->st_size;
}

long clinux_fstat(int descriptor, struct clinux_file_status *status) {
  struct stat found;
  if (fstat(descriptor, &found) < 0) return -errno;
  convert(&found, status);
  return 0;
}

long clinux_spawn(
  const char *path, char *const *arguments, char *const *environment, const int *sources,
  const int *targets, size_t count, int begins_session, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure) return -failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure) {
    posix_spawn_file_actions_destroy(&actions);
    return -failure;
  }
  for (size_t index = 0; index < count && !failure; index++) {
    failure = posix_spawn_file_actions_adddup2(&actions, sources[index], targets[index]);
  }
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (begins_session) flags |= POSIX_SPAWN_SETSID;
  if (!failure) failure = posix_spawnattr_setflags(&attributes, flags);
  if (!failure) failure = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return -failure;
}
