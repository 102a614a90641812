internal import RPC
internal import Storage
internal import Wire

/// Converts a call's answer to and from the form that is stored for repeats under the same idempotency key. Whoever has
/// the database and its keys could read a stored secret, or guess it from a stored hash, so secrets are left out unless
/// the stored answer is sealed with a secret of the request.
enum KeptAnswer {
  /// Replaces a secret in a stored answer.
  private static let mark = "*"

  /// The bytes of a request by which a repeat is recognised; their hash is stored. Passcodes are short enough to be
  /// guessed from a hash, so secrets are left out.
  static func identity(of request: some Message) throws -> [UInt8] {
    Array("\(type(of: request).messageName)\n".utf8) + (try request.replacingSecrets(with: "").encoded())
  }

  /// The answer to give and the form of it to store. Throws for an answer over a decoder's limits, so that the change
  /// is undone: a stored answer that cannot be decoded could not be repeated.
  ///
  /// - Parameter isClosed: whether the stored answer can be opened only with a secret of the request.
  static func first<Answer: Message>(_ answer: Answer, isClosed: Bool) throws -> FirstAnswer<Answer> {
    let bytes = try readable(answer)
    guard !isClosed, answer is any SecretBearing else { return FirstAnswer(answer, kept: bytes) }
    return FirstAnswer(answer, kept: try answer.replacingSecrets(with: mark).encoded())
  }

  /// Throws in the same way for an answer that is not stored: the caller could not decode it, and would take a change
  /// that was made for a failure. The bytes are dropped, and RPC encodes the answer again for the caller: handlers
  /// return values, and the second encoding takes little beside the commit.
  static func unkept<Answer: Message>(_ answer: Answer) throws -> Answer {
    _ = try readable(answer)
    return answer
  }

  private static func readable(_ answer: some Message) throws -> [UInt8] {
    try LastingMessage.encode(answer, as: "the answer", atMost: DecodingLimits.standard.size)
  }

  static func opened<Answer: Message>(
    _ given: IdempotentAnswer<Answer>, of method: String, isClosed: Bool
  ) throws -> Answer {
    switch given {
    case .first(let answer): return answer
    case .kept(let bytes):
      let answer = try Answer(decoding: bytes)
      if isClosed { return answer }
      let rest = answer.replacingSecrets(with: "")
      guard rest == answer else {
        let message = "this call of \(method) was made before, and the secret that it made was shown then alone"
        throw Refusal(.alreadyExists, "secret_shown", message, details: [rest])
      }
      return answer
    }
  }
}
