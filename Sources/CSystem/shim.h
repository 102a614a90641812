/* What Swift's importer cannot see of the C library: variadic calls, GNU extensions, and the code between clone and
 * exec. */
#ifndef ASSENT_CSYSTEM_H
#define ASSENT_CSYSTEM_H

/* No _GNU_SOURCE: it would change types that the compiler's own module of the C library also defines. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the headers hide without _GNU_SOURCE. */
extern char **environ;
extern int clone(int (*body)(void *), void *stack, int flags, void *argument, ...);
extern int execvpe(const char *file, char *const arguments[], char *const environment[]);

static inline void csystem_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* The name of an error number as written in manuals ("ECONNREFUSED"), or NULL. */
extern const char *strerrorname_np(int number);
static inline const char *csystem_error_name(int number) { return strerrorname_np(number); }

/* Sets how much freed memory the C library keeps, from which size on a block is mapped by itself, and how much is
 * requested from the system in advance. */
static inline void csystem_keep_freed_memory(int kept, int block, int ahead) {
  mallopt(M_TRIM_THRESHOLD, kept);
  mallopt(M_MMAP_THRESHOLD, block);
  mallopt(M_TOP_PAD, ahead);
}

/* Gives all free memory back to the system, also from between blocks in use. */
static inline void csystem_give_back_memory(void) { malloc_trim(0); }

/* How many unused bytes the C library holds. */
static inline size_t csystem_free_memory(void) { return mallinfo2().fordblks; }

/* Raises the limit of descriptors to the highest that the system allows; returns it. */
static inline int csystem_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur > 1 << 30 ? 1 << 30 : (int)limit.rlim_cur;
}

/* SOCK_STREAM is not visible to Swift in every way of linking its runtime. */
static inline int csystem_stream_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }

/* Shuts a connection down: to the code that reads from it, the peer seems to have gone. */
static inline void csystem_end_connection(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

static inline char **csystem_environment(void) { return environ; }

static inline int csystem_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

/* Gives a file another name, unless something has that name already: then it fails with EEXIST. */
static inline int csystem_rename_new(const char *from, const char *to) {
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  /* Some file systems, such as NFS, have links and not this. */
  if (link(from, to) != 0) return -1;
  unlink(from);
  return 0;
}

static inline const char *csystem_entry_name(const struct dirent *entry) { return entry->d_name; }

/* Removes a folder and all that is in it; links are removed, not followed. */
static inline void csystem_remove_at(int parent, const char *name) {
  if (unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
  int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
  if (folder) {
    for (struct dirent *entry; (entry = readdir(folder));)
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) csystem_remove_at(descriptor, entry->d_name);
    closedir(folder);
  }
  unlinkat(parent, name, AT_REMOVEDIR);
}

/* Retries, since a process that is about to end may add a file after its folder was emptied. */
static inline void csystem_remove_tree(const char *path) {
  for (int attempt = 0; attempt < 10; attempt++) {
    csystem_remove_at(AT_FDCWD, path);
    if (access(path, F_OK) != 0) return;
    usleep(1000u << attempt);
  }
}

static inline int csystem_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

static inline int csystem_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* An epoll set: its members report each change once (edge-triggered), to one waiting thread. */
static inline int csystem_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int csystem_epoll_add(int set, int descriptor, uint64_t key) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.u64 = key}};
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int csystem_epoll_remove(int set, int descriptor) { return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL); }

/* Writes the keys of ready members, as many as there is room for; returns their count, or -1. */
static inline int csystem_epoll_wait(int set, uint64_t *keys, int room, int milliseconds) {
  struct epoll_event events[16];
  int count = epoll_wait(set, events, room < 16 ? room : 16, milliseconds);
  for (int i = 0; i < count; i++) keys[i] = events[i].data.u64;
  return count;
}

/* Accepts a client's connection, and writes the client's address; returns -1 when there is none. */
static inline int csystem_accept(int listener, struct sockaddr_storage *address) {
  socklen_t length = sizeof *address;
  return (int)syscall(SYS_accept4, listener, address, &length, O_NONBLOCK | O_CLOEXEC);
}

static inline int csystem_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* The macros of <sys/wait.h>. */
static inline int csystem_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
static inline int csystem_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

/* Signals as bytes in a pipe. A mask and sigwait would not do: under Swift's main actor a thread of libdispatch waits
 * with every signal unblocked, and takes the signal with its default action. */
static inline int *csystem_signal_pipe(void) {
  static int ends[2] = {-1, -1};
  return ends;
}

static inline void csystem_note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t written = write(csystem_signal_pipe()[1], &byte, 1);
  (void)written;
  errno = saved;
}

/* From now on each such signal is a byte in a pipe; returns the descriptor to read it from, or -1. */
static inline int csystem_read_signal(int number) {
  int *ends = csystem_signal_pipe();
  struct sigaction action;
  if (ends[0] < 0 && csystem_pipe(ends) < 0) return -1;
  memset(&action, 0, sizeof action);
  action.sa_handler = csystem_note_signal;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL) < 0 ? -1 : ends[0];
}

struct csystem_spawn_request {
  char *const *arguments;
  char *const *environment;
  const char *directory; /* NULL: the parent's */
  int descriptors[3];    /* become the child's 0, 1 and 2 */
  int parent_death_signal;
};

/* Why a child could not run the requested program. */
struct csystem_spawn_failure {
  int code;
  int in_directory;
};

/* What the child needs between clone and exec, in memory that both share. */
struct csystem_becoming {
  const struct csystem_spawn_request *request;
  struct csystem_spawn_failure failure;
  pid_t parent;
};

/* Runs in the parent's memory, while the parent waits: nothing here may allocate, take a lock or write what the parent
 * keeps, errno excepted. */
static inline int csystem_become(void *argument) {
  struct csystem_becoming *becoming = (struct csystem_becoming *)argument;
  const struct csystem_spawn_request *request = becoming->request;
  int copies[3];
  sigset_t none;

  /* A child has a process group of its own, so that Ctrl-C reaches only the parent, which then stops its children in
   * order. */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, request->parent_death_signal, 0, 0, 0);
  if (getppid() != becoming->parent) _exit(127);

  /* Signals that the parent ignores or handles are reset first: no handler of the parent's may run here. */
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);

  /* Copied to high numbers first: one of the three may itself be 0, 1 or 2. */
  for (int i = 0; i < 3; i++) copies[i] = fcntl(request->descriptors[i], F_DUPFD_CLOEXEC, 3);
  for (int i = 0; i < 3; i++)
    if (copies[i] < 0 || dup2(copies[i], i) < 0) goto failed;
  /* The child inherits nothing else. */
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);

  if (request->directory && chdir(request->directory) < 0) {
    becoming->failure.in_directory = 1;
    goto failed;
  }
  execvpe(request->arguments[0], request->arguments, request->environment);
failed:
  becoming->failure.code = errno;
  _exit(127);
}

enum { csystem_child_stack = 256 << 10, csystem_clone_vm = 0x100, csystem_clone_vfork = 0x4000 };

/* Not NULL in programs that are built with ThreadSanitizer. */
extern void __tsan_init(void) __attribute__((weak));

/* Starts a program that gets `parent_death_signal` when the calling thread ends; returns the process id, or -1 with
 * the failure.
 *
 * The child borrows the parent's memory until exec: to copy the page tables of a process with a gigabyte, as fork does,
 * takes milliseconds each time. ThreadSanitizer keeps tables of its own about clone and signals, which a child in the
 * same memory would spoil: there it gets a copy. */
static inline pid_t csystem_spawn(const struct csystem_spawn_request *request, struct csystem_spawn_failure *failure) {
  struct csystem_becoming *becoming;
  sigset_t all, before;
  pid_t child;
  failure->code = 0;
  failure->in_directory = 0;
  char *memory = (char *)mmap(NULL, csystem_child_stack, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    failure->code = errno;
    return -1;
  }
  /* At the lowest address: the child's stack grows down from the other end of the memory. */
  becoming = (struct csystem_becoming *)memory;
  becoming->request = request;
  becoming->parent = getpid();
  /* Until the child has reset its handlers, none may run in it: it would write into the parent's memory. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  /* Returns when the child has become the program, or ended. */
  child = clone(csystem_become, memory + csystem_child_stack,
                (__tsan_init ? 0 : csystem_clone_vm) | csystem_clone_vfork | SIGCHLD, becoming);
  becoming->failure.code = child < 0 ? errno : becoming->failure.code;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  *failure = becoming->failure;
  munmap(memory, csystem_child_stack);
  if (child > 0 && failure->code != 0) {
    waitpid(child, NULL, 0);
    child = -1;
  }
  return child;
}

#endif
