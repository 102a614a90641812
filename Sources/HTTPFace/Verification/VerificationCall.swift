internal import Base
internal import Bus
internal import Face
internal import RPC

/// A visit to the page about a signed document: the call that it takes, made without a caller's identity.
struct VerificationCall: SingleCall {
  let question: VerificationQuestion
  let page: VerificationPage
  let desk: VerificationPages
  /// The visitor's address, which the limits are counted by.
  let address: String

  var method: MethodDescriptor { desk.method.descriptor }
  var form: CallRecord.Form { .page }
  var account: String { "" }

  func request(deadline: MonotonicTime, at door: Doorway) throws(Status) -> PortRequest {
    let admitted = try door.gatekeeper.admit(nil, from: address, to: method)
    return PortRequest(
      method, caller: admitted.caller.identity, deadline: deadline, message: try desk.request(question))
  }

  func response(to answer: [UInt8]) throws(Status) -> HTTPResponse {
    page.response(to: question, try desk.finding(in: answer))
  }

  func refusal(_ status: Status) -> HTTPResponse { page.response(to: status) }
}
