#pragma once
// One system call made in a child of its own, under given filters. Everything between fork and exit
// is here and allocates nothing, so that it is sound in a process with threads.

#include <stddef.h>
#include <stdint.h>

/// How the call is made.
enum { CLINUX_TRIAL_NATIVE = 0, CLINUX_TRIAL_I386 = 1 };

/// How far a trial came; what failed is the step after.
enum {
  CLINUX_TRIAL_STARTED = 0,
  CLINUX_TRIAL_NAMESPACES = 1,
  CLINUX_TRIAL_ROOT = 2,
  CLINUX_TRIAL_CHILD = 3,
  CLINUX_TRIAL_FILTERED = 4,
  CLINUX_TRIAL_RETURNED = 5,
};

struct clinux_trial {
  unsigned filter_count;
  /// CLINUX_TRIAL_*.
  int way;
  /// The call is not made: a tracer only learns whether the filters let it through.
  int only_judged;
  int64_t number;
  uint64_t arguments[6];
  /// After this the child is killed.
  unsigned milliseconds;
};

struct clinux_trial_result {
  /// CLINUX_TRIAL_*: the last step that was done.
  int32_t step;
  /// The errno with which the next step failed, if it did.
  int32_t error;
  /// What the call returned: a negated errno when it failed.
  int64_t value;
  /// With `only_judged`: whether the filters let the call through.
  int32_t let_through;
  /// Whether the child was killed because its time was up.
  int32_t timed_out;
  /// The child's wait status; -1 if there was no child.
  int32_t status;
};

/// Makes the call in a process that has namespaces of its own of every kind, an empty root and no
/// descriptor, as nobody when this process is root's, with little memory beyond a copy of this
/// process's. That keeps most calls in; those that act on what is not in a namespace (the user's
/// keys, the clock, the disks' caches) are to be `only_judged`.
/// `instructions` are those of all filters, one after the other, the oldest first, 8 bytes each;
/// `counts` says how many each filter has. Returns 0, or a negated errno when not even the first
/// process could be made.
long clinux_trial(const struct clinux_trial *trial, const void *instructions,
                  const unsigned *counts, struct clinux_trial_result *result);
