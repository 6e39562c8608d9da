#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

long clinux_accept(int listener) {
  int made = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return made < 0 ? -errno : made;
}

long clinux_signal_descriptor(int one, int other) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, one);
  sigaddset(&signals, other);
  int failure = pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (failure) return -failure;
  int made = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  return made < 0 ? -errno : made;
}
