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

/* What a daemon calls. */
struct cmicrohttp_callbacks {
  /* Whether a new connection is served. Called before its handshake; a connection that is not served is closed. */
  MHD_AcceptPolicyCallback admit;
  MHD_AccessHandlerCallback handle;
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_NotifyConnectionCallback connection;
  MHD_RequestCompletedCallback completed;
  void *context;
};

/* Listens on `address` without a thread: the caller waits for cmicrohttp_events and then calls MHD_run. Over TLS 1.2
 * or 1.3 when `certificate` is not NULL. `memory` bounds what a connection keeps, and so the head of a request. */
static inline struct MHD_Daemon *cmicrohttp_open(
    const struct sockaddr *address, unsigned connections, unsigned idle_seconds, size_t memory, const char *certificate,
    const char *key, struct cmicrohttp_callbacks calls) {
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate}, {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  if (certificate) flags |= MHD_USE_TLS;
  return MHD_start_daemon(flags, 0, calls.admit, calls.context, calls.handle, calls.context,
      MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, calls.begin, calls.context,
      MHD_OPTION_NOTIFY_CONNECTION, calls.connection, calls.context, MHD_OPTION_NOTIFY_COMPLETED, calls.completed,
      calls.context, MHD_OPTION_ARRAY, certificate ? tls : none, MHD_OPTION_END);
}

/* The descriptor that is readable when MHD_run has something to do. */
static inline int cmicrohttp_events(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/* Milliseconds until MHD_run must be called although nothing happens, or -1. */
static inline long long cmicrohttp_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG timeout;
  return MHD_get_timeout(daemon, &timeout) == MHD_YES ? (long long)timeout : -1;
}

/* The pointer that the server has stored for a connection. */
static inline void *cmicrohttp_kept(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static inline const struct sockaddr *cmicrohttp_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/* The results by which a streamed response ends. */
static inline ssize_t cmicrohttp_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmicrohttp_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

static inline int cmicrohttp_is_complete(enum MHD_RequestTerminationCode code) {
  return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
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
