// Pseudo terminals, for tests and for trying out what a sandbox keeps from a terminal.
#pragma once

#include <stddef.h>

/// Both ends of a new pseudo terminal in raw mode, closed on exec and non-blocking; `path` is the
/// other end's. 0, or a negated errno.
long clinux_pseudo_terminal(int ends[2], char *path, size_t size);
