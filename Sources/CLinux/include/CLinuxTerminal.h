// Pseudo terminals, for tests and for trying out what a sandbox keeps from a terminal, and how wide
// characters are on one.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Both ends of a new pseudo terminal in raw mode, closed on exec and non-blocking; `path` is the
/// other end's. 0, or a negated errno.
long clinux_pseudo_terminal(int ends[2], char *path, size_t size);

/// wcwidth(3) in the locale `C.UTF-8`: columns, 0 for a mark, -1 for what cannot be drawn.
int clinux_columns(uint32_t character);
