#define _GNU_SOURCE
#include "CLinuxShared.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>
#include <sys/sem.h>
#include <sys/stat.h>

long clinux_semaphore_value(int set) {
  int value = semctl(set, 0, GETVAL);
  return value < 0 ? -errno : value;
}

long clinux_semaphore_remove(int set) { return semctl(set, 0, IPC_RMID) < 0 ? -errno : 0; }

long clinux_message_queue(const char *name) {
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK | O_CLOEXEC, 0666, NULL);
  if (queue < 0) return -errno;
  // Whatever the mask of the process takes away.
  fchmod(queue, 0666);
  return queue;
}

long clinux_message_send(int queue, const void *bytes, size_t count) {
  return mq_send(queue, bytes, count, 0) < 0 ? -errno : 0;
}

long clinux_message_queue_remove(const char *name) { return mq_unlink(name) < 0 ? -errno : 0; }
