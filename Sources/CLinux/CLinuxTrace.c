#define _GNU_SOURCE
#include "CLinuxTrace.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#ifndef PTRACE_SECCOMP_GET_FILTER
#define PTRACE_SECCOMP_GET_FILTER 0x420c
#endif

long clinux_trace_begin(pid_t thread, unsigned milliseconds, int *signal) {
  *signal = 0;
  if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) < 0) return -errno;
  // From here on the kernel detaches by itself when this thread ends.
  if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) < 0) return -errno;
  for (unsigned waited = 0; waited <= milliseconds; waited++) {
    int status;
    pid_t found = waitpid(thread, &status, WNOHANG | __WALL);
    if (found < 0 && errno != EINTR) return -errno;
    if (found == thread) {
      if (!WIFSTOPPED(status)) return -ESRCH;
      // A stop for a signal on its way: it has to be sent on.
      if (status >> 16 != PTRACE_EVENT_STOP) *signal = WSTOPSIG(status);
      return 0;
    }
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
  }
  return -ETIMEDOUT;
}

long clinux_trace_filter(pid_t thread, unsigned long index, void *instructions) {
  long count = ptrace(PTRACE_SECCOMP_GET_FILTER, thread, (void *)index, instructions);
  return count < 0 ? -errno : count;
}

void clinux_trace_end(pid_t thread, int signal) {
  ptrace(PTRACE_DETACH, thread, NULL, (void *)(long)signal);
}
