#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

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

static pthread_once_t utf8_once = PTHREAD_ONCE_INIT;
static locale_t utf8;

static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int clinux_columns(uint32_t character) {
  pthread_once(&utf8_once, make_utf8);
  if (!utf8) return character >= 0x20 && character < 0x7f ? 1 : -1;
  locale_t before = uselocale(utf8);
  int columns = wcwidth((wchar_t)character);
  uselocale(before);
  return columns;
}
