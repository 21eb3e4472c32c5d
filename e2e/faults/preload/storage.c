/*
 * Preloaded into a program: watches what it does to the files of one folder (FAULTS_FOLDER). With FAULTS_LOG every
 * write, truncation, sync, creation, rename and removal is appended to a log from which ../power-cut-images.ts rebuilds
 * the disk. The control file makes calls fail, kills the program at a call, or fills the disk.
 */
#define _GNU_SOURCE
#include "control.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OP_WRITE = 1, OP_SYNC = 2, OP_OPEN = 4, OP_RENAME = 8, OP_UNLINK = 16, OP_TRUNCATE = 32, OP_READ = 64 };
enum { KILL_BEFORE = 0x10000, KILL_AFTER = 0x10001, KILL_HALFWAY = 0x10002 };
enum {
  LOG_WRITE = 1,
  LOG_TRUNCATE,
  LOG_SYNC,
  LOG_OPEN,
  LOG_CREATE,
  LOG_RENAME,
  LOG_UNLINK,
  LOG_SYNC_FOLDER,
  LOG_MKDIR
};

#define MOST_FILES 4096
#define FOLDER_ID (-1)

/* The file of the folder behind a descriptor: 0 for none, FOLDER_ID for a folder, otherwise the file's number. */
static int file_of[MOST_FILES];
static char *path_of[MOST_FILES];
static struct { ino_t inode; int id; } known[MOST_FILES];
static int known_count = 0;
static int last_id = 0;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Applies the rule to the call that holds the lock. */
static uint32_t current = 0;
static struct control *control = NULL;
static const char *folder = NULL;
static size_t folder_length = 0;
static int log_fd = -1;

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__) = NULL; \
  if (real_##name == NULL) real_##name = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static ssize_t plain_write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  return real_write(fd, bytes, length);
}

__attribute__((constructor)) static void start(void) {
  control = map_control();
  folder = getenv("FAULTS_FOLDER");
  folder_length = folder == NULL ? 0 : strlen(folder);
  const char *log = getenv("FAULTS_LOG");
  if (log == NULL) return;
  REAL(int, open, const char *, int, ...);
  log_fd = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The path within the folder ("" for the folder itself), or NULL. */
static const char *inside(const char *path) {
  if (folder == NULL || path == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return path + folder_length;
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static int is_watched(int fd) { return fd >= 0 && fd < MOST_FILES && file_of[fd] != 0; }

struct record {
  uint32_t kind;
  int32_t file;
  uint32_t path_length;
  uint32_t other_length;
  int64_t offset;
  int64_t length;
};

static void append(uint32_t kind, int file, const char *path, const char *other, int64_t offset, int64_t length,
                   const void *bytes) {
  if (log_fd < 0) return;
  struct record head = {kind, file, path == NULL ? 0 : strlen(path), other == NULL ? 0 : strlen(other), offset, length};
  struct iovec parts[4] = {{&head, sizeof head},
                           {(void *)path, head.path_length},
                           {(void *)other, head.other_length},
                           {(void *)bytes, bytes == NULL ? 0 : (size_t)length}};
  REAL(ssize_t, writev, int, const struct iovec *, int);
  size_t expected = sizeof head + parts[1].iov_len + parts[2].iov_len + parts[3].iov_len;
  if (real_writev(log_fd, parts, 4) != (ssize_t)expected) _exit(99);
}

/* Returns the rule's action for this call, 0 for none. */
static uint32_t rule(int operation, const char *path) {
  if (control == NULL || (control->operations & operation) == 0 || control->times <= 0) return 0;
  if (control->path_part[0] != '\0' && (path == NULL || strstr(path, control->path_part) == NULL)) return 0;
  if (control->skip > 0) {
    control->skip -= 1;
    return 0;
  }
  control->times -= 1;
  control->fired += 1;
  return control->action;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  pause();
}

static int is_error(uint32_t action) { return action != 0 && action < KILL_BEFORE; }

/* Begins a call: takes the lock and returns 1. If the rule makes the call fail, sets errno and returns 0. */
static int begin(int operation, const char *path) {
  pthread_mutex_lock(&lock);
  current = rule(operation, path);
  if (current == KILL_BEFORE || current == KILL_HALFWAY) die();
  if (!is_error(current)) return 1;
  pthread_mutex_unlock(&lock);
  errno = current;
  return 0;
}

/* Ends a call that was begun, without changing its result and errno. */
static int finish(int result) {
  int error = errno;
  if (current == KILL_AFTER) die();
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

static int id_of(int fd, int is_new) {
  struct stat found;
  if (fstat(fd, &found) != 0) return 0;
  int place = 0;
  while (place < known_count && known[place].inode != found.st_ino) place += 1;
  if (place < known_count && !is_new) return known[place].id;
  if (place == MOST_FILES) return 0;
  if (place == known_count) known_count += 1;
  known[place].inode = found.st_ino;
  known[place].id = last_id += 1;
  return known[place].id;
}

static void watch(int fd, const char *path, int flags, int is_new) {
  if (fd < 0 || fd >= MOST_FILES) return;
  struct stat found;
  if (fstat(fd, &found) != 0) return;
  free(path_of[fd]);
  path_of[fd] = strdup(path);
  if (S_ISDIR(found.st_mode)) {
    file_of[fd] = FOLDER_ID;
    return;
  }
  if (!S_ISREG(found.st_mode)) return;
  file_of[fd] = id_of(fd, is_new);
  append(is_new ? LOG_CREATE : LOG_OPEN, file_of[fd], path, NULL, 0, 0, NULL);
  if (!is_new && (flags & O_TRUNC) != 0) append(LOG_TRUNCATE, file_of[fd], NULL, NULL, 0, 0, NULL);
}

static int open_watched(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  const char *name = inside(path);
  if (name == NULL) return real(path, flags, mode);
  if (!begin(OP_OPEN, name)) return -1;
  struct stat before;
  int is_new = stat(path, &before) != 0;
  int fd = real(path, flags, mode);
  int error = errno;
  if (fd >= 0) watch(fd, name, flags, is_new);
  errno = error;
  return finish(fd);
}

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) {
  REAL(int, open, const char *, int, ...);
  MODE_OF(flags);
  return open_watched(real_open, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  REAL(int, open64, const char *, int, ...);
  MODE_OF(flags);
  return open_watched(real_open64, path, flags, mode);
}

/* The descriptor's number may be reused for a socket. */
static void forget(int fd) {
  if (!is_watched(fd)) return;
  pthread_mutex_lock(&lock);
  file_of[fd] = 0;
  pthread_mutex_unlock(&lock);
}

int close(int fd) {
  REAL(int, close, int);
  forget(fd);
  return real_close(fd);
}

/* Writes at an offset, or at the file's own position if the offset is below 0. */
static ssize_t write_watched(int fd, const void *bytes, size_t length, off_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
  pthread_mutex_lock(&lock);
  uint32_t action = rule(OP_WRITE, path_of[fd]);
  size_t allowed = length;
  ssize_t written = -1;
  int error = 0;
  if (action == KILL_BEFORE) die();
  if (action == KILL_HALFWAY) allowed = length / 2;
  if (is_error(action)) error = action;
  if (error == 0 && control != NULL && control->budget >= 0) {
    if (control->budget == 0 && length > 0) error = ENOSPC;
    if ((int64_t)allowed > control->budget) allowed = control->budget;
  }
  if (error == 0) {
    written = at < 0 ? plain_write(fd, bytes, allowed) : real_pwrite64(fd, bytes, allowed, at);
    error = errno;
    if (written > 0) {
      if (control != NULL && control->budget >= 0) control->budget -= written;
      off_t from = at < 0 ? lseek(fd, 0, SEEK_CUR) - written : at;
      append(LOG_WRITE, file_of[fd], NULL, NULL, from, written, bytes);
    }
    if (action == KILL_AFTER || action == KILL_HALFWAY) die();
  }
  pthread_mutex_unlock(&lock);
  if (written < 0) errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  return is_watched(fd) ? write_watched(fd, bytes, length, -1) : plain_write(fd, bytes, length);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
  return is_watched(fd) ? write_watched(fd, bytes, length, at) : real_pwrite64(fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return pwrite64(fd, bytes, length, at); }

ssize_t writev(int fd, const struct iovec *parts, int count_of_parts) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (!is_watched(fd)) return real_writev(fd, parts, count_of_parts);
  ssize_t sum = 0;
  for (int i = 0; i < count_of_parts; i += 1) {
    ssize_t written = write_watched(fd, parts[i].iov_base, parts[i].iov_len, -1);
    if (written < 0) return sum > 0 ? sum : -1;
    sum += written;
    if ((size_t)written < parts[i].iov_len) break;
  }
  return sum;
}

ssize_t sendfile64(int to, int from, off_t *at, size_t length) {
  REAL(ssize_t, sendfile64, int, int, off_t *, size_t);
  if (!is_watched(to)) return real_sendfile64(to, from, at, length);
  char bytes[65536];
  size_t wanted = length < sizeof bytes ? length : sizeof bytes;
  ssize_t got = at == NULL ? read(from, bytes, wanted) : pread(from, bytes, wanted, *at);
  if (got <= 0) return got;
  ssize_t written = write_watched(to, bytes, got, -1);
  if (written > 0 && at != NULL) *at += written;
  return written;
}

ssize_t sendfile(int to, int from, off_t *at, size_t length) { return sendfile64(to, from, at, length); }

/* libuv closes files with a raw system call. It also tries one to copy files: that call fails here, so that its fallback is seen. */
long syscall(long number, ...) {
  REAL(long, syscall, long, ...);
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (int i = 0; i < 6; i += 1) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_close) forget((int)a[0]);
  if (number == SYS_copy_file_range && is_watched((int)a[2])) {
    errno = ENOSYS;
    return -1;
  }
  return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ssize_t pread64(int fd, void *bytes, size_t length, off_t at) {
  REAL(ssize_t, pread64, int, void *, size_t, off_t);
  if (is_watched(fd)) {
    if (!begin(OP_READ, path_of[fd])) return -1;
    finish(0);
  }
  return real_pread64(fd, bytes, length, at);
}

static int sync_watched(int (*real)(int), int fd) {
  if (!is_watched(fd)) return real(fd);
  if (!begin(OP_SYNC, path_of[fd])) return -1;
  int result = real(fd);
  if (result == 0 && file_of[fd] == FOLDER_ID) append(LOG_SYNC_FOLDER, 0, path_of[fd], NULL, 0, 0, NULL);
  if (result == 0 && file_of[fd] != FOLDER_ID) append(LOG_SYNC, file_of[fd], NULL, NULL, 0, 0, NULL);
  return finish(result);
}

int fsync(int fd) {
  REAL(int, fsync, int);
  return sync_watched(real_fsync, fd);
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return sync_watched(real_fdatasync, fd);
}

int ftruncate64(int fd, off_t length) {
  REAL(int, ftruncate64, int, off_t);
  if (!is_watched(fd)) return real_ftruncate64(fd, length);
  if (!begin(OP_TRUNCATE, path_of[fd])) return -1;
  int result = real_ftruncate64(fd, length);
  if (result == 0) append(LOG_TRUNCATE, file_of[fd], NULL, NULL, 0, length, NULL);
  return finish(result);
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  const char *old_name = inside(from), *new_name = inside(to);
  if (old_name == NULL && new_name == NULL) return real_rename(from, to);
  if (!begin(OP_RENAME, old_name == NULL ? new_name : old_name)) return -1;
  int result = real_rename(from, to);
  if (result == 0) append(LOG_RENAME, 0, old_name, new_name, 0, 0, NULL);
  return finish(result);
}

static int unlink_watched(const char *path, int (*real)(const char *)) {
  const char *name = inside(path);
  if (name == NULL) return real(path);
  if (!begin(OP_UNLINK, name)) return -1;
  int result = real(path);
  if (result == 0) append(LOG_UNLINK, 0, name, NULL, 0, 0, NULL);
  return finish(result);
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  return unlink_watched(path, real_unlink);
}

int remove(const char *path) {
  REAL(int, remove, const char *);
  return unlink_watched(path, real_remove);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  const char *name = inside(path);
  if (name == NULL) return real_mkdir(path, mode);
  pthread_mutex_lock(&lock);
  int result = real_mkdir(path, mode);
  int error = errno;
  if (result == 0) append(LOG_MKDIR, 0, name, NULL, 0, 0, NULL);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
