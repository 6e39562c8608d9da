// Objects that processes share by number or name, whose calls are variadic in C.
#pragma once

#include <stddef.h>

/// The value of the first semaphore of a System V set, or a negated errno.
long clinux_semaphore_value(int set);

/// Removes a System V set of semaphores: 0, or a negated errno.
long clinux_semaphore_remove(int set);

/// Makes a POSIX message queue that anybody may use, and opens it closed on exec and non-blocking:
/// a descriptor, or a negated errno.
long clinux_message_queue(const char *name);

/// Sends a message: 0, or a negated errno.
long clinux_message_send(int queue, const void *bytes, size_t count);

/// Removes a queue's name: 0, or a negated errno.
long clinux_message_queue_remove(const char *name);
