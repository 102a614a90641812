/// Something that a machine wants to happen outside of it.
package enum Delivery: Sendable {
  case initialMetadata(Metadata, any CallSink)
  case message([UInt8], any CallSink)
  case accepted(Int, any CallSink)
  case ended(Status, last: [UInt8]?, any CallSink)
  case run(ServerCall)
  case request([UInt8], ServerCall)
  case requestsEnded(ServerCall)
  case answersAccepted(Int, ServerCall)
  case cancel(Status, ServerCall)

  package func perform() {
    switch self {
    case .initialMetadata(let metadata, let sink): sink.initialMetadata(metadata)
    case .message(let message, let sink): sink.message(message)
    case .accepted(let bytes, let sink): sink.accepted(bytes)
    case .ended(let status, let last, let sink): sink.ended(status, last: last)
    case .run(let call): call.run()
    case .request(let message, let call): call.push(message)
    case .requestsEnded(let call): call.endRequests()
    case .answersAccepted(let bytes, let call): call.accepted(bytes)
    case .cancel(let status, let call): call.cancel(because: status)
    }
  }
}
