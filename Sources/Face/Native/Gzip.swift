internal import CDeflate
package import RPC
internal import Synchronization

/// gzip of whole bodies and messages.
package enum Gzip {
  /// From this size on, compressing saves more than it costs.
  package static let worthwhileSize = 1024

  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    let compressor = Compressors.take()
    defer { Compressors.give(compressor) }
    return compressor.gzip(bytes)
  }

  /// Whether compressing a long content saves a tenth or more, by its beginning: pictures are compressed already.
  package static func shrinks(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8 * sampleSize else { return true }
    return compress(Array(bytes.prefix(sampleSize))).count < sampleSize / 10 * 9
  }

  private static let sampleSize = 8 << 10

  /// Programs write one member, and joined files have a few. A bound, because each costs a buffer even if it holds
  /// little.
  private static let mostMembers = 64

  /// The content of one or more gzip members in a row.
  ///
  /// - Parameter limit: the most bytes of output. Input that holds more is refused before they are written.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(Status) -> [UInt8] {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
      throw Status(.unavailable, rule: "no_memory", "there is no memory for decompressing")
    }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var output: [UInt8] = []
    var read = 0
    var members = 0
    repeat {
      members += 1
      guard members <= mostMembers else {
        throw Status(.invalidArgument, rule: "bad_gzip", "the gzip has more than \(mostMembers) members")
      }
      let (content, count) = try unsafe member(of: bytes, from: read, limit: limit - output.count, decompressor, limit)
      output = output.isEmpty ? content : output + content
      read += count
    } while read < bytes.count
    return output
  }

  /// One member's content, and how many bytes of the input it took.
  private static func member(
    of bytes: [UInt8], from start: Int, limit: Int, _ decompressor: OpaquePointer, _ wholeLimit: Int
  ) throws(Status) -> ([UInt8], Int) {
    var room = min(limit, max(4096, 4 * (bytes.count - start)))
    while true {
      var taken = 0
      var result = LIBDEFLATE_BAD_DATA
      let output = unsafe [UInt8](unsafeUninitializedCapacity: max(1, room)) { buffer, count in
        unsafe bytes.withUnsafeBytes { input in
          unsafe result = libdeflate_gzip_decompress_ex(
            decompressor, input.baseAddress.map { unsafe $0 + start }, input.count - start, buffer.baseAddress, room,
            &taken, &count)
        }
        if result != LIBDEFLATE_SUCCESS { count = 0 }
      }
      switch result {
      case LIBDEFLATE_SUCCESS: return (output, taken)
      case LIBDEFLATE_INSUFFICIENT_SPACE where room < limit: room = min(limit, room * 4)
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw Status(.invalidArgument, rule: "message_too_large", "the gzip holds more than \(wholeLimit) bytes")
      default:
        throw Status(.invalidArgument, rule: "bad_gzip", "the bytes that are said to be gzip are not, or are damaged")
      }
    }
  }
}

/// A pool of idle compressors, since each is large.
private enum Compressors {
  private static let idle = Mutex<[Compressor]>([])
  private static let most = 4

  static func take() -> Compressor { idle.withLock { $0.popLast() } ?? Compressor() }

  static func give(_ compressor: Compressor) {
    idle.withLock { if $0.count < most { $0.append(compressor) } }
  }
}

/// `@unchecked` because only the holder of a compressor uses it.
@safe private final class Compressor: @unchecked Sendable {
  private let handle: OpaquePointer

  /// The fastest level: answers are short-lived, and the next one makes them a few hundredths smaller in half again the
  /// time.
  private static let level: Int32 = 1

  init() {
    guard let handle = unsafe libdeflate_alloc_compressor(Self.level) else {
      preconditionFailure("no memory for a compressor")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe libdeflate_free_compressor(handle)
  }

  func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let bound = unsafe libdeflate_gzip_compress_bound(handle, bytes.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      unsafe bytes.withUnsafeBytes { input in
        count = unsafe libdeflate_gzip_compress(handle, input.baseAddress, input.count, buffer.baseAddress, bound)
      }
    }
  }
}
