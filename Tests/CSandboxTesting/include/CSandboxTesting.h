// Children under a filter, for tests. Everything between fork and exit is C without allocation, so
// that it is sound in a test process with many threads.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// Makes a child that loads the filter and ends at once: 0 if the kernel took it, or the errno.
int sandbox_testing_load(const void *instructions, unsigned count);

struct sandbox_testing_call {
  int64_t number;
  uint64_t arguments[6];
  /// Out: what the call returned, a negated errno when it failed; INT64_MIN if it never returned.
  int64_t result;
};

/// Makes a child that loads the filter and makes the calls in order. Without a listener the kernel
/// answers ENOSYS to notified calls. Returns the wait status, or a negated errno.
int sandbox_testing_calls(const void *instructions, unsigned count,
                          struct sandbox_testing_call *calls, unsigned call_count);

/// Like `sandbox_testing_calls`, with several filters loaded in their order; their instructions
/// follow one another.
int sandbox_testing_stacked(const void *instructions, const unsigned *counts, unsigned filter_count,
                            struct sandbox_testing_call *calls, unsigned call_count);

/// Makes a child that loads the filter and calls getpid through `int $0x80`, as 32-bit code does.
/// Returns the wait status.
int sandbox_testing_i386_call(const void *instructions, unsigned count);

struct sandbox_testing_child {
  pid_t process;
  int listener;
};

/// Starts a program under the filter, its descriptors 1 and 2 being `output`. The child waits in
/// its `execve` for an answer on the listener. Returns 0 or an errno.
int sandbox_testing_start(const void *instructions, unsigned count, const char *path,
                          char *const *arguments, char *const *environment, int output,
                          struct sandbox_testing_child *child);

/// pipe2(2) with O_CLOEXEC: other tests start children at the same time.
int sandbox_testing_pipe(int ends[2]);

struct sandbox_testing_judged {
  int64_t number;
  uint64_t arguments[6];
  /// Whether the call is made as 32-bit code of an x86 makes it.
  int is_i386;
  /// Out: one of SANDBOX_TESTING_*, or the errno with which a filter refused the call.
  int verdict;
};

/// No errno is negative. Where a filter asks a supervisor or another tracer, there is none, and the
/// verdict is ENOSYS.
enum {
  SANDBOX_TESTING_LET_THROUGH = -1,
  SANDBOX_TESTING_TRAPPED = -2,
  SANDBOX_TESTING_KILLED = -3,
  SANDBOX_TESTING_UNJUDGED = -4,
};

/// Has the kernel judge calls by filters, without making any: a child loads the filters, and where
/// they let a call through its tracer is asked, who has the call skipped. 0, or a negated errno;
/// -ENOSYS on other machines than x86-64.
int sandbox_testing_judge(const void *instructions, const unsigned *counts, unsigned filter_count,
                          struct sandbox_testing_judged *calls, unsigned call_count);

/// Makes a child with this name that loads the filters and then stands still until it is killed.
/// Returns it, or a negated errno. The filters must let it write to a pipe and pause.
pid_t sandbox_testing_hold(const void *instructions, const unsigned *counts, unsigned filter_count,
                           const char *name);

/// Makes a key that every process may do everything with that knows its serial, and returns that, or
/// a negated errno. It is gone with this process.
int32_t sandbox_testing_key(const char *name);

/// 1 while the key is there and was not revoked, else 0.
int sandbox_testing_has_key(int32_t key);
