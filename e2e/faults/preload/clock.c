/* Preloaded: shifts the wall clock of a program by what the control file says at that moment; the monotonic clock stays. */
#define _GNU_SOURCE
#include "control.h"
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static struct control *control = NULL;

__attribute__((constructor)) static void start(void) { control = map_control(); }

static int64_t offset_ms(void) {
  return control == NULL ? 0 : __atomic_load_n(&control->clock_offset_ms, __ATOMIC_RELAXED);
}

static int is_wall(clockid_t id) { return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI; }

int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *) = NULL;
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, at);
  if (result != 0 || !is_wall(id)) return result;
  int64_t ns = at->tv_nsec + (offset_ms() % 1000) * 1000000;
  at->tv_sec += offset_ms() / 1000;
  if (ns < 0) at->tv_sec -= 1;
  if (ns >= 1000000000) at->tv_sec += 1;
  at->tv_nsec = (ns + 1000000000) % 1000000000;
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
