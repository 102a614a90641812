public import Base
internal import Outgoing

/// Sends requests to authorities through `OutgoingClient`, within bounds of time and size.
///
/// Time stamps, answers and lists are signed by those who make them, so they may come over HTTP without TLS, as almost
/// all of them do. Operators and certificates name the addresses that are asked. These must not lead into the network
/// of this installation, except to addresses that its operator allows.
public struct AuthorityClient: Sendable {
  private let client: OutgoingClient
  let timeout: Duration

  /// - Parameters:
  ///   - allowed: addresses besides the public ones.
  ///   - timeout: for each request, from its start to the last byte of its answer.
  ///   - certificates: a file with certificates that are trusted for TLS instead of the system's.
  public init(
    allowing allowed: [NetworkRange] = [], timeout: Duration = .seconds(10), certificates: String? = nil,
    width: Int = 2
  ) {
    client = OutgoingClient(
      OutgoingPolicy(.publicAddresses(and: allowed), allowsPlainText: true, certificates: certificates), width: width)
    self.timeout = timeout
  }

  func post(
    _ body: [UInt8], as kind: String, to url: String, expecting wanted: String, atMost bytes: Int
  ) async throws -> [UInt8] {
    var request = OutgoingRequest(
      "POST", url, headers: [("Content-Type", kind), ("Accept", wanted)], body: body)
    request.mostBytes = bytes
    let answer = try await send(request)
    let named = answer["content-type"].map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
    guard named == wanted else {
      throw AuthorityError("its answer is of the kind '\(named.shortened)' instead of \(wanted)")
    }
    return answer.body
  }

  func get(_ url: String, atMost bytes: Int) async throws -> [UInt8] {
    var request = OutgoingRequest("GET", url)
    request.mostBytes = bytes
    request.mostRedirects = 3
    return try await send(request).body
  }

  private func send(_ request: OutgoingRequest) async throws -> OutgoingAnswer {
    var request = request
    request.timeout = timeout
    let answer = try await client.send(request)
    guard answer.status == 200 else { throw AuthorityError("it answers with HTTP's status \(answer.status)") }
    return answer
  }
}
