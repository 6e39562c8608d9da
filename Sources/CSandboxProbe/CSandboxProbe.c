#define _GNU_SOURCE
#include "CSandboxProbe.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
// Inlined, so that the child of a vfork does not write over its parent's way back.
static inline __attribute__((always_inline)) long direct(
    long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
    unsigned long e, unsigned long f) {
  register unsigned long r10 __asm__("r10") = d;
  register unsigned long r8 __asm__("r8") = e;
  register unsigned long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

long probe_call(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
                unsigned long e, unsigned long f) {
  return direct(number, a, b, c, d, e, f);
}

long probe_call_i386(long number, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) {
  long result;
  unsigned long first = a;
  // rbx may be reserved by the compiler, so it is changed and restored here; the kernel clears r8
  // to r11.
  __asm__ volatile("xchgq %%rbx, %1\n\t"
                   "int $0x80\n\t"
                   "xchgq %%rbx, %1"
                   : "=a"(result), "+r"(first)
                   : "0"(number), "c"(b), "d"(c), "S"(d), "D"(e)
                   : "r8", "r9", "r10", "r11", "memory");
  return (int)result;
}
#else
#define direct probe_call
long probe_call(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
                unsigned long e, unsigned long f) {
  long result = syscall(number, a, b, c, d, e, f);
  return result < 0 ? -errno : result;
}

long probe_call_i386(long number, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) {
  (void)number, (void)a, (void)b, (void)c, (void)d, (void)e;
  return -ENOSYS;
}
#endif

void *probe_low_memory(unsigned long size) {
#if defined(MAP_32BIT)
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
#else
  (void)size;
  return NULL;
#endif
}

long probe_clone(unsigned long flags) {
  return probe_call(SYS_clone, flags, 0, 0, 0, 0, 0);
}

struct clone3_arguments {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

long probe_clone3(unsigned long flags, unsigned exit_signal) {
  struct clone3_arguments arguments;
  memset(&arguments, 0, sizeof arguments);
  arguments.flags = flags;
  arguments.exit_signal = exit_signal;
  return probe_call(435, (unsigned long)&arguments, sizeof arguments, 0, 0, 0, 0);
}

// The child shares the stack, so it must not return from the function that made it.
long probe_vfork(const char *path, char *const *arguments) {
#if defined(SYS_vfork)
  long result = direct(SYS_vfork, 0, 0, 0, 0, 0, 0);
#else
  long result = direct(SYS_clone, 0x4100 | 17, 0, 0, 0, 0, 0);
#endif
  if (result == 0) {
    char *none[] = {NULL};
    if (path) direct(SYS_execve, (unsigned long)path, (unsigned long)arguments,
                         (unsigned long)none, 0, 0, 0);
    direct(SYS_exit_group, 127, 0, 0, 0, 0, 0);
  }
  return result;
}

static int count;
static char **arguments;

// The C library gives constructors what main gets.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int probe_argument_count(void) { return count; }

const char *probe_argument(int index) { return index < count ? arguments[index] : NULL; }

char *const *probe_arguments(void) { return arguments; }

static void *run(void *body) {
  ((void (*)(void))body)();
  return NULL;
}

int probe_thread(void (*body)(void)) {
  pthread_t thread;
  return pthread_create(&thread, NULL, run, (void *)body);
}
