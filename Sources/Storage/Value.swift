public import Base

/// The value of a column or a parameter. Both engines store exactly these kinds.
public enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// The kind of the value, for messages. The value itself may be personal, so it is never printed.
  var kind: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .bytes: "bytes"
    }
  }
}

/// A type that parameters may have and columns may be read as.
public protocol Storable: Sendable {
  var storedValue: Value { get }
  /// nil if the value is not of this type.
  init?(storedValue: Value)
}

extension Value: Storable {
  public var storedValue: Value { self }
  public init?(storedValue: Value) { self = storedValue }
}

extension Int64: Storable {
  public var storedValue: Value { .integer(self) }

  public init?(storedValue: Value) {
    guard case .integer(let integer) = storedValue else { return nil }
    self = integer
  }
}

extension Int: Storable {
  public var storedValue: Value { .integer(Int64(self)) }

  public init?(storedValue: Value) {
    guard case .integer(let integer) = storedValue else { return nil }
    self.init(exactly: integer)
  }
}

extension UInt32: Storable {
  public var storedValue: Value { .integer(Int64(self)) }

  public init?(storedValue: Value) {
    guard case .integer(let integer) = storedValue else { return nil }
    self.init(exactly: integer)
  }
}

extension Bool: Storable {
  /// 0 or 1 in an integer column: SQLite has no booleans.
  public var storedValue: Value { .integer(self ? 1 : 0) }

  public init?(storedValue: Value) {
    switch storedValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension Double: Storable {
  public var storedValue: Value { .real(self) }

  public init?(storedValue: Value) {
    guard case .real(let real) = storedValue else { return nil }
    self = real
  }
}

extension String: Storable {
  public var storedValue: Value { .text(self) }

  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue else { return nil }
    self = text
  }
}

extension [UInt8]: Storable {
  public var storedValue: Value { .bytes(self) }

  public init?(storedValue: Value) {
    guard case .bytes(let bytes) = storedValue else { return nil }
    self = bytes
  }
}

extension Optional: Storable where Wrapped: Storable {
  public var storedValue: Value {
    guard let wrapped = self else { return .null }
    return wrapped.storedValue
  }

  public init?(storedValue: Value) {
    if case .null = storedValue {
      self = Optional<Wrapped>.none
      return
    }
    guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
    self = .some(wrapped)
  }
}

extension Instant: Storable {
  /// Milliseconds since 1970, in columns that end in `_ms`.
  public var storedValue: Value { .integer(millisecondsSince1970) }

  public init?(storedValue: Value) {
    guard case .integer(let milliseconds) = storedValue else { return nil }
    self.init(millisecondsSince1970: milliseconds)
  }
}

extension Digest: Storable {
  public var storedValue: Value { .bytes(bytes) }

  public init?(storedValue: Value) {
    guard case .bytes(let bytes) = storedValue else { return nil }
    self.init(bytes: bytes)
  }
}
