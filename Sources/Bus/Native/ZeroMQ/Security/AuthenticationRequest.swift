internal import Wire

/// libzmq's question whether a peer may connect (ZAP, ZeroMQ's RFC 27), in seven parts of one message.
struct AuthenticationRequest {
  let identifier: [UInt8]
  let domain: String
  let address: String
  /// The key that the peer has proved; nil when it proved none.
  let key: CurvePublicKey?

  /// nil when the parts do not follow the protocol.
  init?(_ parts: [[UInt8]]) {
    guard parts.count >= 6, parts[0] == Self.version else { return nil }
    identifier = parts[1]
    domain = String(decoding: parts[2], as: UTF8.self)
    address = String(decoding: parts[3], as: UTF8.self)
    let isCurve = parts[5] == Array("CURVE".utf8) && parts.count == 7
    key = isCurve ? CurvePublicKey(bytes: parts[6]) : nil
  }

  /// Lets the peer in; libzmq attaches `number` to each of its messages.
  func accepted(as number: UInt32) -> [[UInt8]] {
    [Self.version, identifier, Array("200".utf8), [], Array("\(number)".utf8), []]
  }

  var refused: [[UInt8]] {
    [Self.version, identifier, Array("400".utf8), Array("unknown key".utf8), [], []]
  }

  /// Lets the handshake come to nothing, as by a failure that will pass: the peer connects again when its time for the
  /// handshake is over. After a refusal it would not.
  var postponed: [[UInt8]] {
    [Self.version, identifier, Array("300".utf8), [], [], []]
  }

  private static let version = Array("1.0".utf8)
}
