/// How much an event matters.
public enum LogLevel: String, SettingValue, CaseIterable, Comparable {
  case debug, info, warn, error

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warn: 2
    case .error: 3
    }
  }
}

/// How an event is written.
public enum LogFormat: String, SettingValue, CaseIterable {
  /// `time=… level=info event="service ready" slots=4`: for people, and for what reads key=value.
  case logfmt
  /// One object a line.
  case json
}
