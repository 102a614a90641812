/* What Swift's importer cannot see of libmicrohttpd: variadic calls. */
#ifndef ASSENT_CMICROHTTP_H
#define ASSENT_CMICROHTTP_H

#include <microhttpd.h>

/* Listens on `address` with a thread of its own; NULL, with errno, when that is impossible. */
static inline struct MHD_Daemon *cmicrohttp_start(
    const struct sockaddr *address, unsigned connections, unsigned idle_seconds, MHD_AccessHandlerCallback handler,
    MHD_NotifyConnectionCallback notify, void *context) {
  unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context,
      MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_END);
}

/* The descriptor behind a connection, or -1. */
static inline int cmicrohttp_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline int cmicrohttp_has_begun(enum MHD_ConnectionNotificationCode change) {
  return change == MHD_CONNECTION_NOTIFY_STARTED;
}

/* The port that was bound; needed when the system chose it. */
static inline unsigned cmicrohttp_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

#endif
