#define _GNU_SOURCE
#include "CSandboxTesting.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

// What our filter tells the tracer, and what a skipped call returns: no filter and no call of these
// tests says so.
enum { ASKED = 0x4b48, SKIPPED = -4094 };

struct shared {
  // The call that is being judged; where there is none, all are let through.
  volatile unsigned next;
  volatile int judging;
};

static int64_t make(const struct sandbox_testing_judged *call) {
  int64_t result;
  const uint64_t *a = call->arguments;
  if (call->is_i386) {
    uint64_t words[7] = {(uint64_t)call->number, a[0], a[1], a[2], a[3], a[4], a[5]};
    __asm__ volatile(
        "movq %%rbx, %%r13\n\tmovq %%rbp, %%r14\n\tmovq %[w], %%r12\n\t"
        "movl 8(%%r12), %%ebx\n\tmovl 16(%%r12), %%ecx\n\tmovl 24(%%r12), %%edx\n\t"
        "movl 32(%%r12), %%esi\n\tmovl 40(%%r12), %%edi\n\tmovl 48(%%r12), %%ebp\n\t"
        "movl 0(%%r12), %%eax\n\tint $0x80\n\tmovq %%r13, %%rbx\n\tmovq %%r14, %%rbp\n\tcltq"
        : "=a"(result)
        : [w] "r"(words)
        : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "memory",
          "cc");
    return result;
  }
  register uint64_t d __asm__("r10") = a[3];
  register uint64_t e __asm__("r8") = a[4];
  register uint64_t f __asm__("r9") = a[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(call->number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r11", "memory");
  return result;
}

static int load(const void *instructions, unsigned count) {
  struct sock_fprog program = {.len = (unsigned short)count,
                               .filter = (struct sock_filter *)instructions};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

_Noreturn static void judged(const void *instructions, const unsigned *counts,
                             unsigned filter_count, struct sandbox_testing_judged *calls,
                             unsigned call_count, struct shared *shared) {
  struct rlimit none = {1, 1};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  syscall(SYS_kill, getpid(), SIGSTOP);
  // First, because the filters may forbid to load another one.
  const struct sock_filter ask[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | ASKED)};
  int failed = load(ask, 1) < 0;
  const struct sock_filter *next = instructions;
  for (unsigned i = 0; i < filter_count && !failed; i++) {
    failed = load(next, counts[i]) < 0;
    next += counts[i];
  }
  if (failed) __builtin_trap();
  while (shared->next < call_count) {
    struct sandbox_testing_judged *call = &calls[shared->next];
    shared->judging = 1;
    int64_t result = make(call);
    shared->judging = 0;
    if (call->verdict == SANDBOX_TESTING_UNJUDGED) {
      call->verdict = result == SKIPPED ? SANDBOX_TESTING_LET_THROUGH : (int)-result;
    }
    shared->next++;
  }
  // The filters may forbid to exit.
  __builtin_trap();
}

// Follows one child to its end. 0 if that is where its calls end or one of them has killed it.
static int follow(pid_t child, struct sandbox_testing_judged *calls, unsigned call_count,
                  struct shared *shared) {
  for (;;) {
    int status;
    if (waitpid(child, &status, __WALL) < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    if (!WIFSTOPPED(status)) {
      if (shared->next >= call_count) return 0;
      if (!shared->judging) return -ECHILD;
      calls[shared->next].verdict = SANDBOX_TESTING_KILLED;
      shared->next++;
      shared->judging = 0;
      return 0;
    }
    int signal = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
      unsigned long data = 0;
      ptrace(PTRACE_GETEVENTMSG, child, NULL, &data);
      if (shared->judging) {
        // Where another filter asks a tracer, nobody answers.
        long value = data == ASKED ? SKIPPED : -ENOSYS;
        ptrace(PTRACE_POKEUSER, child, (void *)offsetof(struct user_regs_struct, orig_rax), -1L);
        ptrace(PTRACE_POKEUSER, child, (void *)offsetof(struct user_regs_struct, rax), value);
      }
      signal = 0;
    } else if (signal == SIGSTOP) {
      ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL);
      signal = 0;
    } else if (signal == SIGSYS && shared->judging) {
      calls[shared->next].verdict = SANDBOX_TESTING_TRAPPED;
      signal = 0;
    } else {
      // The trap at its end, or a fault.
      kill(child, SIGKILL);
      signal = 0;
    }
    ptrace(PTRACE_CONT, child, NULL, signal);
  }
}

int sandbox_testing_judge(const void *instructions, const unsigned *counts, unsigned filter_count,
                          struct sandbox_testing_judged *calls, unsigned call_count) {
  size_t size = sizeof(struct shared) + call_count * sizeof *calls;
  struct shared *shared =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return -errno;
  struct sandbox_testing_judged *copies = (void *)(shared + 1);
  memcpy(copies, calls, call_count * sizeof *calls);
  for (unsigned i = 0; i < call_count; i++) copies[i].verdict = SANDBOX_TESTING_UNJUDGED;
  int error = 0;
  // A call that kills costs a child.
  while (shared->next < call_count && error == 0) {
    pid_t child = fork();
    if (child == 0) judged(instructions, counts, filter_count, copies, call_count, shared);
    error = child < 0 ? -errno : follow(child, copies, call_count, shared);
  }
  memcpy(calls, copies, call_count * sizeof *calls);
  munmap(shared, size);
  return error;
}

#else

int sandbox_testing_judge(const void *instructions, const unsigned *counts, unsigned filter_count,
                          struct sandbox_testing_judged *calls, unsigned call_count) {
  (void)instructions, (void)counts, (void)filter_count, (void)calls, (void)call_count;
  return -ENOSYS;
}

#endif
