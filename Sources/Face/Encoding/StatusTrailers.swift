package import RPC

/// The two forms of a status that gRPC and gRPC-Web have in common.
package enum StatusTrailers {
  /// `grpc-message`: percent-encoded, as gRPC demands; spaces and printable ASCII but the percent sign stay.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if 0x20...0x7E ~= byte, byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// `grpc-status-details-bin`: `google.rpc.Status` in protobuf's binary form: code 1, message 2, details 3, each an
  /// `Any`.
  package static func encoded(_ status: Status) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(contentsOf: [1 << 3, status.code.rawValue])
    bytes.append(field: 2, Array(status.message.utf8))
    for detail in status.details {
      var any: [UInt8] = []
      any.append(field: 1, Array("type.googleapis.com/\(detail.typeName)".utf8))
      any.append(field: 2, detail.value)
      bytes.append(field: 3, any)
    }
    return bytes
  }
}
