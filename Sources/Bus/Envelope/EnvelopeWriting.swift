internal import RPC

/// Encodes the envelopes that make up nearly all traffic, to the same bytes as protobuf-c, but without its structs.
extension Envelope {
  /// Writes the envelope in protobuf's binary form to the start of a buffer. Returns its length; nil when it has fields
  /// that only the full encoder writes.
  ///
  /// - Parameter payloadFollows: whether the payload goes into a second frame.
  func writePlain(into buffer: inout [UInt8], payloadFollows: Bool) -> Int? {
    if let extra, !extra.isPlain { return nil }
    return WireSink.write(into: &buffer, room: largestPlainSize) { sink in
      sink.number(UInt64(kind.rawValue), field: 1)
      sink.fixed64(session, field: 2)
      sink.fixed64(call, field: 3)
      sink.number(offset, field: 4)
      sink.number(credit, field: 5)
      sink.number(UInt64(remainingMilliseconds), field: 6)
      sink.number(UInt64(attempt), field: 8)
      sink.flag(carriesMessage, field: 9)
      sink.flag(payloadFollows, field: 10)
      sink.text(method, field: 11)
      if !payloadFollows { sink.bytes(payload, field: 12) }
      sink.number(UInt64(statusCode.rawValue), field: 13)
      sink.flag(notStarted, field: 14)
      if let extra { sink.text(extra.statusMessage, field: 15) }
      sink.text(idempotencyKey, field: 18)
      if let extra { sink.bytes(extra.plainCaller, field: 19) }
    }
  }

  /// An upper bound of the size of this envelope, if `writePlain` encodes it.
  private var largestPlainSize: Int {
    let own = payload.count + method.utf8.count + idempotencyKey.utf8.count + 20 * WireSink.fieldRoom
    guard let extra else { return own }
    return own + extra.statusMessage.utf8.count + extra.plainCaller.count
  }
}

extension CallerIdentity {
  /// The caller in protobuf's binary form; nil when it is malformed, which the full encoder explains.
  var plainBytes: [UInt8]? {
    var buffer: [UInt8] = []
    let count = WireSink.write(into: &buffer, room: largestPlainSize) { sink in
      sink.number(UInt64(kind.number), field: 1)
      sink.text(tenant, field: 2)
      sink.text(subject, field: 3)
      sink.text(device, field: 4)
      for grant in grants { sink.element(grant, field: 5) }
    }
    return count.map { Array(buffer.prefix($0)) }
  }

  private var largestPlainSize: Int {
    let texts = tenant.utf8.count + subject.utf8.count + device.utf8.count + 5 * WireSink.fieldRoom
    return grants.reduce(texts) { $0 + $1.utf8.count + WireSink.fieldRoom }
  }
}
