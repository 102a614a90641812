internal import Base
internal import RPC

/// Decodes base64 as it arrives, in groups of four. gRPC-Web's text may have padding in its middle, where one of the
/// pieces it was encoded in ends.
struct Base64Reader {
  private var group: [UInt8] = []

  var isInsideGroup: Bool { !group.isEmpty }

  mutating func decode(_ text: ArraySlice<UInt8>) throws(Status) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3 + 3)
    for byte in text {
      group.append(byte)
      guard group.count == 4 else { continue }
      guard let bytes = Base64.decodeLeniently(group.span) else {
        throw Status(.invalidArgument, rule: "bad_base64", "the body is not base64")
      }
      output += bytes
      group.removeAll(keepingCapacity: true)
    }
    return output
  }
}
