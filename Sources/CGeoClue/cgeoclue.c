#include "CGeoClue.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <systemd/sd-bus.h>

const char *const cgeoclue_library_name = "libsystemd.so.0";

#define CALLS(call)                                                                               \
  call(sd_bus_new) call(sd_bus_set_address) call(sd_bus_set_bus_client) call(sd_bus_start)         \
  call(sd_bus_is_ready) call(sd_bus_process) call(sd_bus_wait) call(sd_bus_call)                   \
  call(sd_bus_message_new_method_call) call(sd_bus_message_append) call(sd_bus_message_read)       \
  call(sd_bus_message_get_sender) call(sd_bus_message_unref) call(sd_bus_match_signal)             \
  call(sd_bus_message_enter_container) call(sd_bus_error_free) call(sd_bus_slot_unref)             \
  call(sd_bus_close) call(sd_bus_unref)

static struct {
#define FIELD(name) __typeof__(name) *name;
  CALLS(FIELD)
#undef FIELD
  int is_there;
} calls;

static void find(void) {
  void *library = dlopen(cgeoclue_library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  int all = 1;
#define FIND(name)                                                                                 \
  calls.name = (__typeof__(calls.name))dlsym(library, #name);                                      \
  all = all && calls.name;
  CALLS(FIND)
#undef FIND
  calls.is_there = all;
}

int cgeoclue_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return calls.is_there;
}

#define SERVICE "org.freedesktop.GeoClue2"
#define CLIENT SERVICE ".Client"
#define PROPERTIES "org.freedesktop.DBus.Properties"
// GCLUE_ACCURACY_LEVEL_EXACT: how good it gets is GeoClue's own, and its owner's, to say.
#define ACCURACY 8u
#define PATH 256

typedef struct {
  sd_bus *bus;
  uint64_t deadline;
  // The one that answered, so that nobody else's signal is believed.
  char owner[PATH];
  char client[PATH];
  char found[PATH];
  char *message;
  size_t size;
} request;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

// What is left until the deadline, in microseconds; 0 when it is over.
static uint64_t left(const request *request) {
  uint64_t time = now();
  return time < request->deadline ? request->deadline - time : 0;
}

static int fail(request *request, const char *what, int error, const char *words) {
  snprintf(
      request->message, request->size, "%s%s%s", what, words && *words ? ": " : "",
      words && *words ? words : "");
  return error < 0 ? error : -EPROTO;
}

static int keep(char *place, const char *text) {
  size_t length = text ? strlen(text) : 0;
  if (length == 0 || length >= PATH) return -EPROTO;
  memcpy(place, text, length + 1);
  return 0;
}

// Sends a call and waits for its answer. `call` is used up.
static int ask(request *request, const char *what, sd_bus_message *call, sd_bus_message **reply) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  uint64_t time = left(request);
  int result =
      time ? calls.sd_bus_call(request->bus, call, time, &error, reply) : -ETIMEDOUT;
  if (result < 0) fail(request, what, result, error.message);
  calls.sd_bus_error_free(&error);
  calls.sd_bus_message_unref(call);
  return result < 0 ? result : 0;
}

static int start_call(
    request *request, sd_bus_message **call, const char *path, const char *interface,
    const char *member) {
  const char *to = request->owner[0] ? request->owner : SERVICE;
  return calls.sd_bus_message_new_method_call(request->bus, call, to, path, interface, member);
}

static int set(request *request, const char *name, const char *type, const char *text, uint32_t n) {
  sd_bus_message *call = NULL, *reply = NULL;
  int result = start_call(request, &call, request->client, PROPERTIES, "Set");
  if (result < 0) return fail(request, "a call cannot be made", result, NULL);
  result = *type == 's' ? calls.sd_bus_message_append(call, "ssv", CLIENT, name, "s", text)
                        : calls.sd_bus_message_append(call, "ssv", CLIENT, name, "u", n);
  if (result < 0) {
    calls.sd_bus_message_unref(call);
    return fail(request, "a call cannot be made", result, NULL);
  }
  result = ask(request, "GeoClue does not take the question", call, &reply);
  calls.sd_bus_message_unref(reply);
  return result;
}

static int get(request *request, const char *name, double *value) {
  sd_bus_message *call = NULL, *reply = NULL;
  int result = start_call(request, &call, request->found, PROPERTIES, "Get");
  if (result < 0) return fail(request, "a call cannot be made", result, NULL);
  result = calls.sd_bus_message_append(call, "ss", SERVICE ".Location", name);
  if (result < 0) {
    calls.sd_bus_message_unref(call);
    return fail(request, "a call cannot be made", result, NULL);
  }
  result = ask(request, "GeoClue does not tell the location that it found", call, &reply);
  if (result < 0) return result;
  result = calls.sd_bus_message_enter_container(reply, 'v', "d");
  if (result > 0) result = calls.sd_bus_message_read(reply, "d", value);
  calls.sd_bus_message_unref(reply);
  return result > 0 ? 0 : fail(request, "GeoClue answers with what is no number", -EPROTO, NULL);
}

static int updated(sd_bus_message *signal, void *context, sd_bus_error *error) {
  (void)error;
  request *request = context;
  const char *sender = calls.sd_bus_message_get_sender(signal);
  const char *before = NULL, *after = NULL;
  if (!sender || strcmp(sender, request->owner) != 0) return 0;
  if (calls.sd_bus_message_read(signal, "oo", &before, &after) <= 0) return 0;
  // "/" is no location.
  if (strcmp(after, "/") != 0) keep(request->found, after);
  return 0;
}

typedef int condition(request *);

// Handles what comes until `is_done`, or the deadline.
static int wait_until(request *request, const char *what, condition *is_done) {
  for (;;) {
    int done = is_done(request);
    if (done < 0) return fail(request, what, done, strerror(-done));
    if (done) return 0;
    uint64_t time = left(request);
    if (!time) return fail(request, what, -ETIMEDOUT, "no answer came in time");
    int result = calls.sd_bus_process(request->bus, NULL);
    if (result == 0) result = calls.sd_bus_wait(request->bus, time);
    if (result < 0 && result != -EINTR) return fail(request, what, result, strerror(-result));
  }
}

static int is_ready(request *request) { return calls.sd_bus_is_ready(request->bus); }
static int is_found(request *request) { return request->found[0] != 0; }

static int begin(request *request, const char *address) {
  const char *what = "the system's D-Bus cannot be reached";
  int result = calls.sd_bus_new(&request->bus);
  if (result >= 0) result = calls.sd_bus_set_address(request->bus, address);
  if (result >= 0) result = calls.sd_bus_set_bus_client(request->bus, 1);
  if (result >= 0) result = calls.sd_bus_start(request->bus);
  if (result < 0) return fail(request, what, result, strerror(-result));
  return wait_until(request, what, is_ready);
}

static int make_client(request *request) {
  sd_bus_message *call = NULL, *reply = NULL;
  int result = start_call(request, &call, "/org/freedesktop/GeoClue2/Manager", SERVICE ".Manager",
                          "CreateClient");
  if (result < 0) return fail(request, "a call cannot be made", result, NULL);
  result = ask(request, "GeoClue does not answer", call, &reply);
  if (result < 0) return result;
  const char *path = NULL;
  result = calls.sd_bus_message_read(reply, "o", &path);
  if (result > 0) result = keep(request->client, path);
  if (result >= 0) result = keep(request->owner, calls.sd_bus_message_get_sender(reply));
  calls.sd_bus_message_unref(reply);
  return result < 0 ? fail(request, "GeoClue answers with what is no client", result, NULL) : 0;
}

static int locate(
    request *request, const char *address, const char *desktop, cgeoclue_location *location) {
  int result = begin(request, address);
  if (result >= 0) result = make_client(request);
  if (result >= 0) result = set(request, "DesktopId", "s", desktop, 0);
  if (result >= 0) result = set(request, "RequestedAccuracyLevel", "u", NULL, ACCURACY);
  if (result < 0) return result;
  sd_bus_slot *slot = NULL;
  result = calls.sd_bus_match_signal(
      request->bus, &slot, request->owner, request->client, CLIENT, "LocationUpdated", updated,
      request);
  if (result < 0) return fail(request, "GeoClue cannot be listened to", result, strerror(-result));
  sd_bus_message *call = NULL, *reply = NULL;
  result = start_call(request, &call, request->client, CLIENT, "Start");
  if (result >= 0) result = ask(request, "GeoClue refuses to tell the location", call, &reply);
  calls.sd_bus_message_unref(reply);
  if (result >= 0) result = wait_until(request, "GeoClue finds no location", is_found);
  if (result >= 0) result = get(request, "Latitude", &location->latitude);
  if (result >= 0) result = get(request, "Longitude", &location->longitude);
  if (result >= 0) result = get(request, "Accuracy", &location->accuracy);
  // The client ends with the connection.
  calls.sd_bus_slot_unref(slot);
  return result;
}

int cgeoclue_locate(
    const char *address, const char *desktop, unsigned milliseconds, cgeoclue_location *location,
    char *message, size_t size) {
  request request = {.message = message, .size = size};
  request.deadline = now() + (uint64_t)milliseconds * 1000;
  if (!cgeoclue_is_there()) return fail(&request, "there is no library", -ENOENT, cgeoclue_library_name);
  int result = locate(&request, address, desktop, location);
  if (request.bus) {
    calls.sd_bus_close(request.bus);
    calls.sd_bus_unref(request.bus);
  }
  return result;
}
