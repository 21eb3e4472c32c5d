/* The control file: mapped by the preloads, written by the driver while the program runs (see ../preload.ts). */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct control {
  int64_t clock_offset_ms;
  /* The rule: matching calls are let through `skip` times, then `action` is taken `times` times. */
  uint32_t operations; /* a mask of the OP_ bits; 0 for no rule */
  uint32_t action;     /* an errno, or one of the KILL_ actions */
  int64_t skip;
  int64_t times;
  int64_t fired;
  /* Bytes that may still be written; below 0 there is no limit. */
  int64_t budget;
  /* The rule concerns paths (relative to the folder) that contain this; all when empty. */
  char path_part[128];
};

static struct control *map_control(void) {
  const char *path = getenv("FAULTS_CONTROL");
  int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return mapped == MAP_FAILED ? NULL : mapped;
}
