/* Loaded before the C library, this lets a program's files not reach the disk while there is a file that BROKEN_DISK
   names: what is written is there, and to sync it fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_by(long number, int file) {
  const char *sign = getenv("BROKEN_DISK");
  if (sign && access(sign, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(number, file);
}

int fsync(int file) { return sync_by(SYS_fsync, file); }

int fdatasync(int file) { return sync_by(SYS_fdatasync, file); }
