/// An error of the domain that defines its status for callers.
public protocol StatusConvertible: Error {
  var status: Status { get }
  /// True for a fault of the service rather than of the call: the error is also logged.
  var isFault: Bool { get }
}

extension StatusConvertible {
  public var isFault: Bool { false }
}

extension Status: StatusConvertible {
  public var status: Status { self }
}
