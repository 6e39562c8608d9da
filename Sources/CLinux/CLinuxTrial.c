#define _GNU_SOURCE
#include "CLinuxTrial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif

// Nobody's ids on every distribution (the kernel's overflow ids).
enum { NOBODY = 65534 };
// What a trial may map beyond what it begins with, in bytes.
enum { MORE_MEMORY = 64 << 20 };
// What the tracer is told by our own filter, which other filters are not likely to say.
enum { ASKED = 0x4b48 };

// The filters of a trial, which lie in memory of the process that wants it.
struct filters {
  const struct sock_filter *instructions;
  const unsigned *counts;
};

// What the call needs, where assembly finds it.
struct call {
  uint64_t number;
  uint64_t arguments[6];
  // Whether the call may return a second time, in a new process or thread.
  uint64_t makes_process;
};

// Makes the call. A process or thread that it makes ends at once and touches no memory: it may have
// no stack.
__attribute__((noinline)) static int64_t make(const struct call *call, int way) {
#if defined(__x86_64__)
  int64_t result;
  if (way == CLINUX_TRIAL_I386) {
    __asm__ volatile(
        "movq %%rbx, %%r13\n\tmovq %%rbp, %%r14\n\tmovq %[call], %%r12\n\t"
        "movl 8(%%r12), %%ebx\n\tmovl 16(%%r12), %%ecx\n\tmovl 24(%%r12), %%edx\n\t"
        "movl 32(%%r12), %%esi\n\tmovl 40(%%r12), %%edi\n\tmovl 48(%%r12), %%ebp\n\t"
        "movl 56(%%r12), %%r15d\n\tmovl 0(%%r12), %%eax\n\tint $0x80\n\t"
        "testl %%eax, %%eax\n\tjnz 1f\n\ttestl %%r15d, %%r15d\n\tjz 1f\n\t"
        "movl $60, %%eax\n\txorl %%edi, %%edi\n\tsyscall\n\tud2\n\t"
        "1:\tmovq %%r13, %%rbx\n\tmovq %%r14, %%rbp\n\tcltq"
        : "=a"(result)
        : [call] "r"(call)
        : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "memory", "cc");
    return result;
  }
  __asm__ volatile(
      "movq %[call], %%r12\n\tmovq 8(%%r12), %%rdi\n\tmovq 16(%%r12), %%rsi\n\t"
      "movq 24(%%r12), %%rdx\n\tmovq 32(%%r12), %%r10\n\tmovq 40(%%r12), %%r8\n\t"
      "movq 48(%%r12), %%r9\n\tmovq 56(%%r12), %%r15\n\tmovq 0(%%r12), %%rax\n\tsyscall\n\t"
      "testq %%rax, %%rax\n\tjnz 1f\n\ttestq %%r15, %%r15\n\tjz 1f\n\t"
      "movl $60, %%eax\n\txorl %%edi, %%edi\n\tsyscall\n\tud2\n\t"
      "1:"
      : "=a"(result)
      : [call] "r"(call)
      : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r15", "memory", "cc");
  return result;
#else
  if (way != CLINUX_TRIAL_NATIVE) return -ENOSYS;
  const uint64_t *a = call->arguments;
  long result = syscall((long)call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result == 0 && call->makes_process) _exit(0);
  return result < 0 ? -errno : result;
#endif
}

static uint64_t makes_process(int64_t number, int way) {
  if (number == SYS_clone3) return 1; // the same number everywhere
  // fork, clone and vfork of i386.
  if (way == CLINUX_TRIAL_I386) return number == 2 || number == 120 || number == 190;
#if defined(__x86_64__)
  number &= ~(int64_t)0x40000000;
  if (number == SYS_fork || number == SYS_vfork) return 1;
#endif
  return number == SYS_clone;
}

// Not fork(3): it takes locks, which a thread of the process at the beginning may have held.
static pid_t new_process(void) {
#if defined(__s390x__)
  return (pid_t)syscall(SYS_clone, 0, SIGCHLD, 0, 0, 0);
#else
  return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
}

static int write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY);
  if (file < 0) return -1;
  ssize_t written = write(file, text, strlen(text));
  int error = errno;
  close(file);
  errno = error;
  return written < 0 ? -1 : 0;
}

// "0 ID 1": inside, the id is root's.
static const char *map_root(char text[32], unsigned id) {
  char *at = text + 31;
  *at = 0;
  *--at = '1';
  *--at = ' ';
  do {
    *--at = (char)('0' + id % 10);
    id /= 10;
  } while (id > 0);
  *--at = ' ';
  *--at = '0';
  return at;
}

// What a call may take of what all processes share, which it gets back when the process ends: no
// memory that is locked, and not much more than the copy of this process has. Of all processes it is
// the first to go when memory runs out.
static void limit_memory(void) {
  write_file("/proc/self/oom_score_adj", "1000");
  // The first number of statm: the size in pages.
  char text[64] = "";
  int file = open("/proc/self/statm", O_RDONLY);
  if (file >= 0) {
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
  }
  rlim_t pages = 0;
  for (const char *at = text; *at >= '0' && *at <= '9'; at++) {
    pages = pages * 10 + (rlim_t)(*at - '0');
  }
  // Without a size it cannot grow at all.
  rlim_t most = pages * (rlim_t)getpagesize() + MORE_MEMORY;
  struct rlimit limit = {most, most};
  setrlimit(RLIMIT_AS, &limit);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_MEMLOCK, &none);
}

static int enter_namespaces(void) {
  uid_t user = geteuid();
  gid_t group = getegid();
  if (user == 0) {
    // A namespace of root's would still own root's files.
    if (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) < 0 ||
        syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) < 0) {
      return -1;
    }
    user = group = NOBODY;
  }
  // Changing ids has made /proc/self root's.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS |
              CLONE_NEWIPC | CLONE_NEWCGROUP) < 0) {
    return -1;
  }
  if (write_file("/proc/self/setgroups", "deny") < 0) return -1;
  char map[32];
  if (write_file("/proc/self/uid_map", map_root(map, user)) < 0) return -1;
  return write_file("/proc/self/gid_map", map_root(map, group));
}

static int empty_root(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
  if (mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k") < 0) return -1;
  if (chdir("/tmp") < 0 || syscall(SYS_pivot_root, ".", ".") < 0) return -1;
  return umount2(".", MNT_DETACH) < 0 || chdir("/") < 0 ? -1 : 0;
}

static int load(const struct sock_filter *instructions, unsigned count) {
  struct sock_fprog program = {.len = (unsigned short)count,
                               .filter = (struct sock_filter *)instructions};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

// The process under the filters, the first one of its namespace.
_Noreturn static void run(const struct clinux_trial *trial, struct filters filters,
                          struct clinux_trial_result *shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // A process group of its own: signals to a group reach its members in other namespaces.
  setsid();
  // Not the session's keys, but an empty ring of its own: KEYCTL_JOIN_SESSION_KEYRING.
  syscall(SYS_keyctl, 1, NULL, 0, 0, 0);
  shared->step = CLINUX_TRIAL_CHILD;
  if (trial->only_judged) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) {
      shared->error = errno;
      _exit(1);
    }
    syscall(SYS_kill, getpid(), SIGSTOP);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
    shared->error = errno;
    _exit(1);
  }
  if (trial->only_judged) {
    // Stricter than permission and milder than every refusal: the tracer is asked only if all
    // other filters permit. First of all, because those may forbid to load one.
    const struct sock_filter ask[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | ASKED)};
    if (load(ask, 1) < 0) {
      shared->error = errno;
      _exit(1);
    }
  }
  const struct sock_filter *next = filters.instructions;
  for (unsigned i = 0; i < trial->filter_count; i++) {
    if (load(next, filters.counts[i]) < 0) {
      shared->error = errno;
      _exit(1);
    }
    next += filters.counts[i];
  }
  struct call call = {.number = (uint64_t)trial->number,
                      .makes_process = makes_process(trial->number, trial->way)};
  memcpy(call.arguments, trial->arguments, sizeof call.arguments);
  shared->step = CLINUX_TRIAL_FILTERED;
  shared->value = make(&call, trial->way);
  shared->step = CLINUX_TRIAL_RETURNED;
  syscall(SYS_exit_group, 0);
  // A filter may forbid even that.
  for (;;) __builtin_trap();
}

static volatile pid_t running;
static volatile sig_atomic_t time_is_up;

static void stop_running(int signal) {
  (void)signal;
  time_is_up = 1;
  if (running > 0) kill(running, SIGKILL);
}

static void arm_timer(unsigned milliseconds) {
  sigset_t signals;
  sigemptyset(&signals);
  sigprocmask(SIG_SETMASK, &signals, NULL);
  struct sigaction action = {.sa_handler = stop_running};
  sigaction(SIGALRM, &action, NULL);
  // Once more and again, should the first come between two steps.
  struct itimerval timer = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000},
      .it_interval = {.tv_usec = 100000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

// Waits for the end of the process under the filters; as its tracer, stops it at the call.
static int watch(pid_t process, const struct clinux_trial *trial,
                 struct clinux_trial_result *shared) {
  int status;
  for (;;) {
    pid_t found = waitpid(process, &status, 0);
    if (found < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    if (!WIFSTOPPED(status)) return status;
    if (!trial->only_judged) continue;
    int signal = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
      // Between the last filter and the call that is tried there is no other.
      if (shared->step == CLINUX_TRIAL_FILTERED) {
        unsigned long data = 0;
        ptrace(PTRACE_GETEVENTMSG, process, NULL, &data);
        // A filter that asks a tracer itself does not permit.
        shared->let_through = data == ASKED;
        kill(process, SIGKILL);
        continue;
      }
      signal = 0;
    } else if (signal == SIGSTOP) {
      ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL);
      signal = 0;
    }
    ptrace(PTRACE_CONT, process, NULL, signal);
  }
}

_Noreturn static void supervise(const struct clinux_trial *trial, struct filters filters,
                                struct clinux_trial_result *shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  syscall(SYS_close_range, 0, ~0u, 0);
  // A session of its own has no terminal. 1 and not 0: a core pattern that is a pipe ignores 0.
  setsid();
  struct rlimit none = {1, 1};
  setrlimit(RLIMIT_CORE, &none);
  limit_memory();
  if (enter_namespaces() < 0) {
    shared->error = errno;
    _exit(1);
  }
  shared->step = CLINUX_TRIAL_NAMESPACES;
  if (empty_root() < 0) {
    shared->error = errno;
    _exit(1);
  }
  shared->step = CLINUX_TRIAL_ROOT;
  arm_timer(trial->milliseconds);
  running = new_process();
  if (running < 0) {
    shared->error = errno;
    _exit(1);
  }
  if (running == 0) {
    signal(SIGALRM, SIG_DFL);
    run(trial, filters, shared);
  }
  shared->status = watch(running, trial, shared);
  shared->timed_out = time_is_up;
  _exit(0);
}

long clinux_trial(const struct clinux_trial *trial, const void *instructions,
                  const unsigned *counts, struct clinux_trial_result *result) {
  // The child has a copy of this process's memory; what it finds out comes back through a page that
  // is shared.
  struct clinux_trial_result *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return -errno;
  *shared = (struct clinux_trial_result){.status = -1};
  pid_t process = new_process();
  if (process == 0) {
    supervise(trial, (struct filters){.instructions = instructions, .counts = counts}, shared);
  }
  long error = process < 0 ? -errno : 0;
  if (process > 0) {
    int status;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
  }
  *result = *shared;
  munmap(shared, sizeof *shared);
  return error;
}
