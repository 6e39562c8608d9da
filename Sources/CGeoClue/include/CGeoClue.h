// GeoClue, asked over the system's D-Bus. The D-Bus library (systemd's) is found when it is wanted and
// not when the program starts: a host without it has no location but one that the user sets. The
// library's own header checks the types of the calls.
#ifndef CGEOCLUE_H
#define CGEOCLUE_H

#include <stddef.h>

typedef struct {
  double latitude;
  double longitude;
  double accuracy;
} cgeoclue_location;

/// The name that the library is looked for by.
extern const char *const cgeoclue_library_name;

/// Whether the library is there with every call that is needed. Can be called from any thread.
int cgeoclue_is_there(void);

/// Asks GeoClue once, and waits for its answer for at most so many milliseconds.
///
/// 0, or a negative error number, with a message of at most `size` bytes, NUL counted: what failed, and
/// perhaps the service's own words. The numbers are as the service says them, and may be anything that
/// a double can be.
int cgeoclue_locate(
    const char *address, const char *desktop, unsigned milliseconds, cgeoclue_location *location,
    char *message, size_t size);

#endif
