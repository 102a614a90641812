/// The messages of an answer that wait to be converted.
struct AnswerBacklog {
  private var messages: [[UInt8]] = []
  /// How many bytes they have together.
  private(set) var byteCount = 0

  var isEmpty: Bool { messages.isEmpty }
  var last: [UInt8]? { messages.last }

  mutating func append(_ message: [UInt8]) {
    messages.append(message)
    byteCount += message.count
  }

  /// Removes the first message. There must be one.
  mutating func removeFirst() -> [UInt8] {
    let message = messages.removeFirst()
    byteCount -= message.count
    return message
  }

  mutating func removeAll() { self = AnswerBacklog() }
}
