internal import Base
internal import Face
package import HTTP2
package import RPC

/// Headers and trailers of answers.
package enum GRPCAnswer {
  private static let plain = HeaderList([":status": "200", "content-type": "application/grpc"])
  private static let compressing = HeaderList([
    ":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip",
  ])
  private static let success = HeaderList(["grpc-status": "0"])
  /// nghttp2 might not send a longer trailer at all.
  private static let trailerLimit = 40 << 10
  private static let shortMessage = 1 << 10

  package static func header(_ metadata: Metadata, isCompressing: Bool) -> HeaderList {
    var header = isCompressing ? compressing : plain
    add(metadata, to: &header)
    return header
  }

  package static func trailer(_ status: Status) -> HeaderList {
    if status.isOK, status.metadata.isEmpty { return success }
    var trailer = HeaderList()
    add(status, to: &trailer)
    return trailer
  }

  /// Header and trailer in one, for an answer without messages.
  package static func trailerOnly(_ status: Status) -> HeaderList {
    var header = plain
    if status.code == .unimplemented { header.add("grpc-accept-encoding", "identity,gzip") }
    add(status, to: &header)
    return header
  }

  /// The answer to a request that is not one of gRPC.
  package static func notGRPC(_ refusal: GRPCRequest.NotGRPC) -> HeaderList {
    var header = HeaderList([":status": "\(refusal.httpStatus)", "content-type": "text/plain; charset=utf-8"])
    if refusal.httpStatus == 405 { header.add("allow", "POST") }
    return header
  }

  private static func add(_ status: Status, to list: inout HeaderList) {
    list.add("grpc-status", "\(status.code.rawValue)")
    var whole = list
    if !status.message.isEmpty { whole.add("grpc-message", StatusTrailers.escaped(status.message)) }
    if !status.details.isEmpty { whole.add("grpc-status-details-bin", text(of: StatusTrailers.encoded(status))) }
    add(status.metadata, to: &whole)
    if let wait = status.metadata["retry-after-ms"].flatMap({ Int($0) }) {
      whole.add("grpc-retry-pushback-ms", String(wait))
    }
    if whole.size <= trailerLimit {
      list = whole
    } else {
      list.add("grpc-message", StatusTrailers.escaped(status.message.shortened(to: shortMessage)))
    }
  }

  private static func add(_ metadata: Metadata, to list: inout HeaderList) {
    for (name, value) in HeaderMetadata.answerHeaders(of: metadata) { list.add(name, value) }
  }

  private static func text(of bytes: [UInt8]) -> String { Base64.encode(bytes, padded: false) }
}
