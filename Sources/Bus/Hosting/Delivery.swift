package import RPC

/// What a machine has for a task, performed outside of the machine.
package enum Delivery: Sendable {
  case client(ClientAction)
  case run(ServerCall)
  case requests([ArraySlice<UInt8>], ServerCall)
  case requestsEnded(ServerCall)
  case answersAccepted(Int, ServerCall)
  case cancel(Status, ServerCall)

  package func perform() {
    switch self {
    case .client(let action): action.perform()
    case .run(let call): call.run()
    case .requests(let messages, let call): call.push(messages)
    case .requestsEnded(let call): call.endRequests()
    case .answersAccepted(let bytes, let call): call.accepted(bytes)
    case .cancel(let status, let call): call.cancel(because: status)
    }
  }
}
