/* Loaded before the C library, this writes down what a program sends to the disk. The file SYNC_LOG gets a line for
   each file or folder that was synced, with the size that it had before ("synced SIZE PATH"), for each file that was
   cut ("cut SIZE PATH"), and for each that was renamed, with its new name ("renamed 0 PATH"). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int log_file = -1;

__attribute__((constructor)) static void open_log(void) {
  const char *path = getenv("SYNC_LOG");
  if (path) log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(const char *what, long long size, const char *path) {
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s %lld %s\n", what, size, path);
  if (log_file >= 0 && write(log_file, line, (size_t)length) != length) abort();
}

static void note_open(const char *what, long long size, int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) abort();
  path[length] = 0;
  note(what, size, path);
}

/* What is written while a file is synced may be left out. */
static int synced(const char *name, int descriptor) {
  int (*call)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  struct stat before;
  if (fstat(descriptor, &before) != 0) return call(descriptor);
  int result = call(descriptor);
  if (result == 0) note_open("synced", before.st_size, descriptor);
  return result;
}

int fsync(int descriptor) { return synced("fsync", descriptor); }

int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }

static int cut(const char *name, int descriptor, off64_t size) {
  int (*call)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, name);
  int result = call(descriptor, size);
  if (result == 0) note_open("cut", size, descriptor);
  return result;
}

int ftruncate(int descriptor, off_t size) { return cut("ftruncate", descriptor, size); }

int ftruncate64(int descriptor, off64_t size) { return cut("ftruncate64", descriptor, size); }

int rename(const char *old, const char *new) {
  int (*call)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  int result = call(old, new);
  if (result == 0) note("renamed", 0, new);
  return result;
}
