/* Sockets of clients in an epoll set, whose event structure Swift cannot write. */
#ifndef ASSENT_CSOCKETS_H
#define ASSENT_CSOCKETS_H

#include <stdint.h>
#include <sys/epoll.h>

/* A socket is reported as long as it can be read, or written to, where that is wanted (level-triggered), and when it is
 * broken. */
static inline int csockets_watch(int set, int is_new, int descriptor, uint64_t key, int reads, int writes) {
  struct epoll_event event = {.events = (reads ? EPOLLIN : 0u) | (writes ? EPOLLOUT : 0u), .data = {.u64 = key}};
  return epoll_ctl(set, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

#endif
