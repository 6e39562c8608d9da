#define _GNU_SOURCE
#include "CSandboxTesting.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int load(const void *instructions, unsigned count, unsigned flags) {
  struct sock_fprog program = {.len = (unsigned short)count,
                               .filter = (struct sock_filter *)instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  return result < 0 ? -errno : (int)result;
}

static void no_core_files(void) {
  struct rlimit limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
}

static int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -errno;
  }
  return status;
}

int sandbox_testing_load(const void *instructions, unsigned count) {
  // The child tells its result without a call, through memory that both have: the filter may kill
  // whatever comes next.
  volatile int *result =
      mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (result == MAP_FAILED) return errno;
  *result = ECANCELED;
  // vfork, because copying the tables of a large test process takes longer than the test itself. (The
  // thread sanitizer makes a fork of it, which shares no other memory.)
  pid_t process = vfork();
  if (process == 0) {
    no_core_files();
    *result = -load(instructions, count, 0);
    _exit(0);
  }
  int error = process < 0 ? errno : 0;
  if (error == 0) {
    wait_for(process);
    error = *result;
  }
  munmap((void *)result, sizeof *result);
  return error;
}

int sandbox_testing_calls(const void *instructions, unsigned count,
                          struct sandbox_testing_call *calls, unsigned call_count) {
  return sandbox_testing_stacked(instructions, &count, 1, calls, call_count);
}

int sandbox_testing_stacked(const void *instructions, const unsigned *counts, unsigned filter_count,
                            struct sandbox_testing_call *calls, unsigned call_count) {
  size_t size = call_count * sizeof *calls;
  struct sandbox_testing_call *shared =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return -errno;
  memcpy(shared, calls, size);
  for (unsigned i = 0; i < call_count; i++) shared[i].result = INT64_MIN;
  pid_t process = fork();
  if (process == 0) {
    no_core_files();
    const struct sock_filter *next = instructions;
    for (unsigned i = 0; i < filter_count; i++) {
      if (load(next, counts[i], 0) < 0) _exit(100);
      next += counts[i];
    }
    for (unsigned i = 0; i < call_count; i++) {
      const uint64_t *a = shared[i].arguments;
      long result = syscall(shared[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);
      shared[i].result = result == -1 ? -errno : result;
    }
    _exit(0);
  }
  int status = process < 0 ? -errno : wait_for(process);
  memcpy(calls, shared, size);
  munmap(shared, size);
  return status;
}

int sandbox_testing_i386_call(const void *instructions, unsigned count) {
  pid_t process = fork();
  if (process == 0) {
    no_core_files();
    if (load(instructions, count, 0) < 0) _exit(100);
#if defined(__x86_64__)
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    _exit(result > 0 ? 0 : 1);
#else
    _exit(101);
#endif
  }
  return process < 0 ? -errno : wait_for(process);
}

int sandbox_testing_start(const void *instructions, unsigned count, const char *path,
                          char *const *arguments, char *const *environment, int output,
                          struct sandbox_testing_child *child) {
  int told[2];
  if (pipe2(told, O_CLOEXEC) < 0) return errno;
  pid_t process = fork();
  if (process < 0) return errno;
  if (process == 0) {
    no_core_files();
    // Worker threads of a test run block signals.
    sigset_t signals;
    sigemptyset(&signals);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    int none = open("/dev/null", O_RDONLY);
    dup2(none, 0);
    dup2(output, 1);
    dup2(output, 2);
    int listener = load(instructions, count, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (write(told[1], &listener, sizeof listener) != sizeof listener || listener < 0) _exit(100);
    fcntl(listener, F_SETFD, FD_CLOEXEC);
    execve(path, arguments, environment);
    _exit(errno);
  }
  close(told[1]);
  int listener = -ECHILD;
  ssize_t got = read(told[0], &listener, sizeof listener);
  close(told[0]);
  int error = got != sizeof listener ? ECHILD : listener < 0 ? -listener : 0;
  if (error == 0) {
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    child->listener = (int)syscall(SYS_pidfd_getfd, descriptor, listener, 0);
    error = child->listener < 0 ? errno : 0;
    close(descriptor);
  }
  child->process = process;
  if (error != 0) {
    kill(process, SIGKILL);
    wait_for(process);
  }
  return error;
}

int sandbox_testing_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

pid_t sandbox_testing_hold(const void *instructions, const unsigned *counts, unsigned filter_count,
                           const char *name) {
  int told[2];
  if (pipe2(told, O_CLOEXEC) < 0) return -errno;
  pid_t process = fork();
  if (process == 0) {
    no_core_files();
    prctl(PR_SET_NAME, name, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    close(told[0]);
    const struct sock_filter *next = instructions;
    int failure = 0;
    for (unsigned i = 0; i < filter_count && failure == 0; i++) {
      if (load(next, counts[i], 0) < 0) failure = errno;
      next += counts[i];
    }
    if (write(told[1], &failure, sizeof failure) != sizeof failure) _exit(1);
    for (;;) pause();
  }
  int error = process < 0 ? errno : 0;
  close(told[1]);
  int failure = ECHILD;
  if (error == 0 && read(told[0], &failure, sizeof failure) != sizeof failure) failure = ECHILD;
  close(told[0]);
  if (error == 0 && failure != 0) {
    kill(process, SIGKILL);
    wait_for(process);
    error = failure;
  }
  return error == 0 ? process : -error;
}

int32_t sandbox_testing_key(const char *name) {
  // KEY_SPEC_PROCESS_KEYRING: it is gone with this process.
  long key = syscall(SYS_add_key, "user", name, "secret", 6, -2);
  // KEYCTL_SETPERM, everything to everybody.
  if (key > 0) syscall(SYS_keyctl, 5, key, 0x3f3f3f3f, 0, 0);
  return key < 0 ? -errno : (int32_t)key;
}

int sandbox_testing_has_key(int32_t key) {
  // KEYCTL_DESCRIBE, which fails for a revoked one.
  return syscall(SYS_keyctl, 6, key, NULL, 0, 0) > 0;
}
