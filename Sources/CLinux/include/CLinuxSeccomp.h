#pragma once
// Seccomp's user notifications and the libseccomp macros, as functions: Swift imports neither
// variadic calls (`ioctl`, `syscall`) nor macros with casts or arguments. Results are 0 or more on
// success and a negated errno on failure.

#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Kernels may have longer structures than these headers; a longer one never exceeds this.
#define KEYHOST_SECCOMP_BUFFER 1024

static inline int keyhost_seccomp_sizes(struct seccomp_notif_sizes *sizes) {
  long result = syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, sizes);
  return result < 0 ? -errno : 0;
}

static inline int keyhost_seccomp_receive(int descriptor, uint16_t size,
                                          struct seccomp_notif *notification) {
  char buffer[KEYHOST_SECCOMP_BUFFER] __attribute__((aligned(16))) = {0};
  if (size > sizeof buffer) return -E2BIG;
  if (ioctl(descriptor, SECCOMP_IOCTL_NOTIF_RECV, buffer) < 0) return -errno;
  memcpy(notification, buffer, sizeof *notification);
  return 0;
}

static inline int keyhost_seccomp_send(int descriptor, uint16_t size, uint64_t id, int64_t value,
                                       int32_t error, uint32_t flags) {
  char buffer[KEYHOST_SECCOMP_BUFFER] __attribute__((aligned(16))) = {0};
  if (size > sizeof buffer) return -E2BIG;
  struct seccomp_notif_resp response = {.id = id, .val = value, .error = error, .flags = flags};
  memcpy(buffer, &response, sizeof response);
  return ioctl(descriptor, SECCOMP_IOCTL_NOTIF_SEND, buffer) < 0 ? -errno : 0;
}

static inline int keyhost_seccomp_id_valid(int descriptor, uint64_t id) {
  return ioctl(descriptor, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0 ? -errno : 0;
}

static inline int keyhost_seccomp_add_descriptor(int descriptor, uint64_t id, uint32_t source,
                                                 uint32_t flags, uint32_t target,
                                                 uint32_t target_flags) {
  struct seccomp_notif_addfd request = {.id = id,
                                        .flags = flags,
                                        .srcfd = source,
                                        .newfd = target,
                                        .newfd_flags = target_flags};
  int result = ioctl(descriptor, SECCOMP_IOCTL_NOTIF_ADDFD, &request);
  return result < 0 ? -errno : result;
}

static inline int keyhost_seccomp_memory_file(void) {
  const unsigned int close_on_exec = 1;  // MFD_CLOEXEC
  long result = syscall(SYS_memfd_create, "keyhost-filter", close_on_exec);
  return result < 0 ? -errno : (int)result;
}
