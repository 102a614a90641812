internal import Base
internal import Face
package import RPC
package import Wire

/// Converts a message between the caller's form and the bus's: a pure function, so that it can run on any thread.
package struct Conversion: Sendable {
  package enum Direction: Sendable {
    case request, answer
  }

  package var direction: Direction
  /// The type of the message if the caller's form is JSON; nil if it is protobuf's binary form.
  package var type: DynamicType?
  /// Request: whether the message is compressed. Answer: whether to compress it if that saves anything.
  package var gzip: Bool
  /// The most bytes that a request may have when it is decompressed.
  package var limit: Int
  /// Answer: from how many bytes on it is compressed.
  package var leastCompressed = Gzip.worthwhileSize

  package init(_ direction: Direction, type: DynamicType?, gzip: Bool, limit: Int) {
    self.direction = direction
    self.type = type
    self.gzip = gzip
    self.limit = limit
  }

  package struct Result: Sendable {
    package var bytes: [UInt8]
    package var isCompressed = false
  }

  /// Whether converting a message of this size takes so long that it must not be done on the reactor's thread.
  package func isLong(_ count: Int) -> Bool {
    // Even a few compressed bytes may expand to any size.
    if gzip, direction == .request { return true }
    guard type != nil || gzip && count >= leastCompressed else { return false }
    return count > Self.shortCount
  }

  /// Converting this many bytes takes about a tenth of a millisecond.
  private static let shortCount = 16 << 10

  package func callAsFunction(_ bytes: [UInt8]) throws(Status) -> Result {
    switch direction {
    case .request: Result(bytes: try request(bytes))
    case .answer: try answer(bytes)
    }
  }

  private func request(_ bytes: [UInt8]) throws(Status) -> [UInt8] {
    let plain = gzip && !bytes.isEmpty ? try Gzip.decompress(bytes, limit: limit) : bytes
    guard let type else { return plain }
    do throws(CodecError) {
      return try type.binary(fromJSON: plain.span)
    } catch {
      throw Status(
        .invalidArgument, rule: error.code == .unknownName ? "unknown_name" : "bad_json", "\(error)")
    }
  }

  private func answer(_ bytes: [UInt8]) throws(Status) -> Result {
    var result = Result(bytes: bytes)
    if let type {
      do throws(CodecError) {
        result.bytes = try type.json(fromBinary: bytes.span)
      } catch {
        throw Status(.internal, rule: "bad_answer", "the service's answer cannot be written as JSON: \(error)")
      }
    }
    guard gzip, result.bytes.count >= leastCompressed, Gzip.shrinks(result.bytes) else { return result }
    return Result(bytes: Gzip.compress(result.bytes), isCompressed: true)
  }
}
