#define _GNU_SOURCE
#include "include/CLinuxAffinity.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static const size_t size = CLINUX_AFFINITY_WORDS * sizeof(uint64_t);

long clinux_get_affinity(uint64_t *words) {
  for (int i = 0; i < CLINUX_AFFINITY_WORDS; i++)
    words[i] = 0;
  return syscall(SYS_sched_getaffinity, 0, size, words) < 0 ? -errno : 0;
}

long clinux_set_affinity(const uint64_t *words) {
  return syscall(SYS_sched_setaffinity, 0, size, words) < 0 ? -errno : 0;
}
