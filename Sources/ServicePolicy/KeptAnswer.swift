internal import RPC
internal import Storage
internal import Wire

/// What is kept of a call for its repeats: never a secret that whoever has the database and its keys could read, or
/// guess from a hash.
enum KeptAnswer {
  /// Stands in the place of a secret in an answer that is kept.
  private static let mark = "*"

  /// What makes two requests the same. Passcodes are short enough to be found from a hash, so secrets do not count.
  static func identity(of request: some Message) throws -> [UInt8] {
    Array("\(type(of: request).messageName)\n".utf8) + (try request.replacingSecrets(with: "").encoded())
  }

  /// An answer over the limits of a decoder is refused, and the change with it: its repeat could not be answered.
  ///
  /// - Parameter isClosed: the answer that is kept opens with a secret of the request alone.
  static func first(_ answer: some Message, isClosed: Bool) throws -> FirstAnswer {
    let bytes = try readable(answer)
    return FirstAnswer(bytes, kept: isClosed ? nil : try answer.replacingSecrets(with: mark).encoded())
  }

  /// The same of an answer that is kept for no repeat: its caller would hear that the call had failed.
  static func unkept<Answer: Message>(_ answer: Answer) throws -> Answer {
    _ = try readable(answer)
    return answer
  }

  private static func readable(_ answer: some Message) throws -> [UInt8] {
    try LastingMessage.encode(answer, as: "the answer", atMost: DecodingLimits.standard.size)
  }

  static func opened<Answer: Message>(
    _ kept: IdempotentAnswer, of method: String, isClosed: Bool
  ) throws -> Answer {
    let answer = try Answer(decoding: kept.bytes)
    guard kept.isRepeat, !isClosed else { return answer }
    let rest = answer.replacingSecrets(with: "")
    guard rest == answer else {
      let message = "this call of \(method) was made before, and the secret that it made was shown then alone"
      throw Refusal(.alreadyExists, "secret_shown", message, details: [.init(rest)])
    }
    return answer
  }
}
