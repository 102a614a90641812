/// Where a database is: a SQLite file, or a schema on a PostgreSQL server.
public enum DatabaseLocation: Hashable, Sendable, CustomStringConvertible {
  case sqlite(path: String)
  case postgres(url: String)

  /// Reads `sqlite:PATH` or a PostgreSQL URL; nil when it is neither.
  public init?(_ text: String) {
    if text.hasPrefix("sqlite:"), text.count > 7 {
      self = .sqlite(path: String(text.dropFirst(7)))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(url: text)
    } else {
      return nil
    }
  }

  /// The location for messages, without the user and password that a URL may contain.
  public var description: String {
    switch self {
    case .sqlite(let path): return "sqlite:\(path)"
    case .postgres(let url):
      guard let at = url.lastIndex(of: "@") else { return String(url.prefix { $0 != "?" }) }
      return "postgres://\(url[url.index(after: at)...].prefix { $0 != "?" })"
    }
  }
}
