// What an attacker writes in assembler, or in a language nearer to the kernel than Swift: raw
// system calls of each table, and the program's arguments without /proc. Nothing else belongs here.
#pragma once

#include <stdint.h>

/// A system call of the machine's own table, past the C library: the result, or a negated errno.
long probe_call(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
                unsigned long e, unsigned long f);

/// The same through `int $0x80`, as 32-bit code does it: numbers and structures are i386's, and
/// addresses must lie below 4 GB. -ENOSYS where there is no such table.
long probe_call_i386(long number, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e);

/// Memory below 4 GB, or null.
void *probe_low_memory(unsigned long size);

/// A bare clone(2) that returns twice and has no new stack. Not for threads.
long probe_clone(unsigned long flags);

/// clone3(2) likewise, without a new stack.
long probe_clone3(unsigned long flags, unsigned exit_signal);

/// vfork(2) whose child runs `execve` (or, with a null path, stops in pause(2)).
long probe_vfork(const char *path, char *const *arguments);

/// What `main` was given: Swift reads it from /proc, which is closed in the sandbox.
int probe_argument_count(void);
const char *probe_argument(int index);
/// The arguments with those of `first` and later, for an exec.
char *const *probe_arguments(void);

/// Runs `body` in a thread of its own; 0, or an errno.
int probe_thread(void (*body)(void));
