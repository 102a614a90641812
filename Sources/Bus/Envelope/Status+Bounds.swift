internal import Base
internal import RPC

/// Cuts statuses down to the bounds of an envelope. Statuses quote what callers have sent, and an envelope beyond its
/// bounds is dropped by its receiver, or costs its sender the connection.
extension Status {
  /// The status as it may be sent: a message that is too long is cut, and where details and metadata are too large
  /// together, the details are left out first, because programs decide by the metadata.
  var bounded: Status {
    let isLong = message.utf8.count > BusLimits.longestStatusMessage
    let isLarge = metadata.byteCount + details.reduce(0) { $0 + $1.byteCount } > BusLimits.largestStatusContent
    guard isLong || isLarge else { return self }
    let mark = "…"
    var status = self
    if isLong { status.message = message.shortened(to: BusLimits.longestStatusMessage - mark.utf8.count) + mark }
    if isLarge {
      status.details = []
      if metadata.byteCount > BusLimits.largestStatusContent { status.metadata = Metadata() }
    }
    return status
  }
}

extension Status.Detail {
  /// Its size in an envelope, or a little more.
  fileprivate var byteCount: Int { typeName.utf8.count + value.count + 32 }
}

extension Envelope {
  /// A GOAWAY that refuses a peer, or a BYE that ends a peer's session against its will, with the reason.
  init(_ kind: Kind, because reason: Status) {
    self.init(kind)
    let reason = reason.bounded
    statusCode = reason.code
    extra = Extra(statusMessage: reason.message)
  }
}
