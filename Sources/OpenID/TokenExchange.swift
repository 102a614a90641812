internal import Base
internal import Outgoing
internal import Synchronization
internal import Tokens

/// A client that an issuer knows, and how it proves itself.
package struct IssuerClient: Sendable {
  package enum Proof: Sendable {
    /// By a secret in HTTP's own header.
    case header(String)
    /// By a secret in the request.
    case field(String)
    case nothing
  }

  let id: String
  let proof: Proof

  package init(id: String, proof: Proof) { (self.id, self.proof) = (id, proof) }
}

/// What an issuer gives ID tokens for.
package enum IssuerGrant: Sendable {
  /// What it sent a browser back with (RFC 6749, 4.1, and 7636).
  case code(String, page: String, verifier: String)
  /// What it gave with an earlier token.
  case renewal(String)

  fileprivate var fields: [(name: String, value: String)] {
    switch self {
    case .code(let code, let page, let verifier):
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", page), ("code_verifier", verifier),
      ]
    case .renewal(let token): [("grant_type", "refresh_token"), ("refresh_token", token)]
    }
  }
}

package struct IssuerTokens: Sendable {
  /// Not verified yet.
  package let idToken: String
  /// For which the issuer gives another ID token later; empty: it does not.
  package let renewal: String
}

/// Why an issuer gave no ID token.
package enum ExchangeFault: Error, Hashable, Sendable {
  /// No answer came in time, or one that says that none can be had now.
  case unreachable
  /// As many exchanges as one issuer may have are under way.
  case busy
  /// The grant is none, was used, has expired, or is another client's.
  case grant
  /// It does not take the client for what it says it is.
  case client
  /// What came is no answer to the question.
  case answer
}

/// Exchanges grants for ID tokens at issuers' token endpoints.
final class TokenExchange: Sendable {
  private let client: OutgoingClient
  private let patience: Duration
  /// How many requests are under way at each address.
  private let running = Mutex<[String: Int]>([:])

  private static let width = 16
  /// An issuer that does not answer keeps at most this many threads waiting: the others are for other issuers.
  private static let mostAtOne = 8
  private static let mostBytes = 128 << 10
  private static let longestRenewal = 8 << 10

  init(_ policy: OutgoingPolicy, patience: Duration) {
    self.patience = patience
    client = OutgoingClient(policy, width: Self.width)
  }

  func tokens(
    for grant: IssuerGrant, at address: String, as known: IssuerClient
  ) async throws(ExchangeFault) -> IssuerTokens {
    let mayRun = running.withLock { running in
      guard running[address, default: 0] < Self.mostAtOne else { return false }
      running[address, default: 0] += 1
      return true
    }
    guard mayRun else { throw .busy }
    defer {
      running.withLock { running in
        let left = running[address, default: 1] - 1
        running[address] = left == 0 ? nil : left
      }
    }
    let answer: OutgoingAnswer
    do throws(OutgoingError) {
      answer = try await client.send(request(for: grant, at: address, as: known))
    } catch {
      throw error.kind == .tooLarge ? .answer : .unreachable
    }
    return try Self.read(answer)
  }

  private func request(for grant: IssuerGrant, at address: String, as known: IssuerClient) -> OutgoingRequest {
    var fields = grant.fields
    var headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")]
    switch known.proof {
    case .header(let secret):
      // Each is encoded as in a form first (RFC 6749, 2.3.1).
      let pair = "\(FormText.encode(known.id)):\(FormText.encode(secret))"
      headers.append(("authorization", "Basic \(Base64.encode(Array(pair.utf8)))"))
    case .field(let secret): fields += [("client_id", known.id), ("client_secret", secret)]
    case .nothing: fields.append(("client_id", known.id))
    }
    var request = OutgoingRequest("POST", address, headers: headers, body: Array(FormText.encode(fields).utf8))
    request.timeout = patience
    request.mostBytes = Self.mostBytes
    return request
  }

  private static func read(_ answer: OutgoingAnswer) throws(ExchangeFault) -> IssuerTokens {
    guard answer.status < 500, answer.status != 429 else { throw .unreachable }
    let value = JSONValue(answer.body, limit: mostBytes)
    guard answer.status == 200 else {
      switch value?["error"]?.string {
      case "invalid_grant": throw .grant
      case "invalid_client", "unauthorized_client": throw .client
      default: throw .answer
      }
    }
    guard let token = value?["id_token"]?.string else { throw .answer }
    let renewal = value?["refresh_token"]?.string ?? ""
    return IssuerTokens(idToken: token, renewal: renewal.utf8.count <= longestRenewal ? renewal : "")
  }
}
