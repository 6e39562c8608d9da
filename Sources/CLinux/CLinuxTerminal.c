#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

long clinux_pseudo_terminal(int ends[2], char *path, size_t size) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0) return -errno;
  int other = -1;
  struct termios settings;
  if (grantpt(master) || unlockpt(master) || (errno = ptsname_r(master, path, size)) ||
      (other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) < 0 ||
      tcgetattr(other, &settings)) {
    long failure = -errno;
    if (other >= 0) close(other);
    close(master);
    return failure;
  }
  cfmakeraw(&settings);
  tcsetattr(other, TCSANOW, &settings);
  ends[0] = master;
  ends[1] = other;
  return 0;
}
