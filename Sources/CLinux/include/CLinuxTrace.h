#pragma once
// Reading another process's filters, which takes ptrace(2): variadic, and bound to the calling thread.

#include <stdint.h>
#include <sys/types.h>

/// PTRACE_SEIZE and PTRACE_INTERRUPT: the thread stands still from here to clinux_trace_end, which
/// must be called with what this leaves in `signal`. 0, or a negated errno with nothing to undo;
/// -ETIMEDOUT when it does not stand still within `milliseconds`, -ESRCH when it has ended.
long clinux_trace_begin(pid_t thread, unsigned milliseconds, int *signal);

/// PTRACE_SECCOMP_GET_FILTER of a thread that stands still: the number of instructions, written to
/// `instructions` if that is not null, which has room for 4,096 of 8 bytes. -ENOENT: there are no
/// more; -EINVAL: there is none at all.
long clinux_trace_filter(pid_t thread, unsigned long index, void *instructions);

/// PTRACE_DETACH.
void clinux_trace_end(pid_t thread, int signal);
