internal import Base
internal import CPostgres
internal import Glibc

/// Opens connections with a deadline.
enum PostgresConnect {
  static func open(
    _ parameters: [(String, String)], until deadline: MonotonicTime
  ) throws(DatabaseError) -> OpaquePointer {
    guard let handle = unsafe start(parameters) else { throw DatabaseError(.engine, "libpq has no memory left") }
    var isOpen = false
    defer { if !isOpen { unsafe PQfinish(handle) } }
    var state = PGRES_POLLING_WRITING
    while true {
      switch state {
      case PGRES_POLLING_OK:
        isOpen = true
        return unsafe handle
      case PGRES_POLLING_FAILED: throw unsafe refusal(handle)
      default: break
      }
      if unsafe PQstatus(handle) == CONNECTION_BAD { throw unsafe refusal(handle) }
      let remaining = (deadline - Clock.system.monotonic).wholeMilliseconds
      guard remaining > 0 else { throw DatabaseError(.timedOut, "the PostgreSQL server did not answer in time") }
      let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
      var wait = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
      if unsafe poll(&wait, 1, Int32(clamping: remaining)) > 0 { state = unsafe PQconnectPoll(handle) }
    }
  }

  private static func start(_ parameters: [(String, String)]) -> OpaquePointer? {
    // `dbname` may be a whole URL; later parameters in the list override it.
    let names = unsafe parameters.map { unsafe strdup($0.0) }
    let values = unsafe parameters.map { unsafe strdup($0.1) }
    defer { unsafe (names + values).forEach { unsafe free($0) } }
    let keywords = unsafe names.map { unsafe UnsafePointer<CChar>($0) } + [nil]
    let settings = unsafe values.map { unsafe UnsafePointer<CChar>($0) } + [nil]
    return unsafe PQconnectStartParams(keywords, settings, 1)
  }

  private static func refusal(_ handle: OpaquePointer) -> DatabaseError {
    let message = unsafe firstLine(of: PQerrorMessage(handle))
    // A server that answers FATAL will do so again, unless it is starting, shutting down, or out of connections: at
    // all, for all but its superusers, or for this role or database.
    let passes = [
      "starting up", "shutting down", "recovery", "not yet accepting", "terminating", "too many clients",
      "remaining connection slots", "too many connections",
    ]
    let isFinal = message.contains("FATAL:") && !passes.contains { message.contains($0) }
    return DatabaseError(isFinal ? .refused : .unavailable, "cannot connect to PostgreSQL: \(message)")
  }

  static func firstLine(of message: UnsafePointer<CChar>?) -> String {
    guard let message = unsafe message else { return "no reason given" }
    let lines = unsafe String(cString: message).split(separator: "\n")
    return lines.first.map(String.init) ?? "no reason given"
  }
}
