// The processors a thread may run on. C's CPU_SET is macros, which Swift cannot import.
#pragma once

#include <stdint.h>

enum { CLINUX_AFFINITY_WORDS = 16 }; // 1,024 processors

/// sched_getaffinity(2) of the calling thread into CLINUX_AFFINITY_WORDS words.
long clinux_get_affinity(uint64_t *words);

/// sched_setaffinity(2) of the calling thread; what it starts later inherits it.
long clinux_set_affinity(const uint64_t *words);
