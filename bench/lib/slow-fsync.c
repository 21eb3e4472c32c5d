/* Preloaded into a server under measurement: every fsync takes SLOW_FSYNC_US longer, as on a back-room PC's disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static useconds_t delay(void) {
  static useconds_t cached = 0;
  if (cached == 0) {
    const char *text = getenv("SLOW_FSYNC_US");
    cached = text == NULL ? 5000 : (useconds_t)atoi(text);
  }
  return cached;
}

int fsync(int fd) {
  static int (*real)(int) = NULL;
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  usleep(delay());
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int) = NULL;
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  usleep(delay());
  return real(fd);
}
