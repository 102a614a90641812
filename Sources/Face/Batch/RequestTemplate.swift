internal import RPC
internal import Wire

/// The JSON of a request, with gaps for values from earlier answers.
struct RequestTemplate: Sendable {
  private enum Piece: Sendable {
    case text(ArraySlice<UInt8>)
    case answer(of: Int, AnswerPath, shown: String)
  }

  private var pieces: [Piece] = []
  /// The indices of the calls whose answers this request refers to.
  private(set) var needs: Set<Int> = []
  /// How many strings begin with the mark `$`.
  private(set) var marked = 0

  /// Splits JSON at its references. Other mistakes in the JSON are found when it is read as a message.
  ///
  /// - Parameters:
  ///   - earlier: the methods of the calls before this one.
  ///   - most: how many strings may begin with the mark.
  init(
    _ json: String, earlier: [Catalogue.Method], of catalogue: Catalogue, most: Int = BatchPlan.mostMarked
  ) throws(Status) {
    let bytes = Array((json.isEmpty ? "{}" : json).utf8)
    var copied = 0
    var place = 0
    while let text = Self.nextText(in: bytes, from: place) {
      place = text.upperBound
      let inside = bytes[text.lowerBound + 1..<text.upperBound - 1]
      guard inside.first == Self.mark, !Self.isName(text, in: bytes) else { continue }
      marked += 1
      guard marked <= most else {
        throw Status(
          .invalidArgument,
          rule: "bad_batch",
          "more than \(BatchPlan.mostMarked) texts of the batch begin with $; at most so many are taken")
      }
      pieces.append(.text(bytes[copied..<text.lowerBound]))
      copied = text.upperBound
      if inside.dropFirst().first == Self.mark {
        pieces.append(.text([UInt8(ascii: "\"")] + inside.dropFirst() + [UInt8(ascii: "\"")]))
      } else {
        let (call, path, shown) = try Self.reference(inside, earlier: earlier, of: catalogue)
        pieces.append(.answer(of: call, path, shown: shown))
        needs.insert(call)
      }
    }
    pieces.append(.text(bytes[copied...]))
  }

  private static let mark = UInt8(ascii: "$")

  /// The next string, with its quotes; nil when none follows, or one that does not end.
  private static func nextText(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    var place = first + 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): return first..<place + 1
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    return nil
  }

  /// Whether a string is the name of an object's member.
  private static func isName(_ text: Range<Int>, in bytes: [UInt8]) -> Bool {
    let next = bytes[text.upperBound...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return next == UInt8(ascii: ":")
  }

  private static func reference(
    _ inside: ArraySlice<UInt8>, earlier: [Catalogue.Method], of catalogue: Catalogue
  ) throws(Status) -> (call: Int, AnswerPath, shown: String) {
    let shown = String(decoding: inside.prefix(120), as: UTF8.self)
    guard inside.count <= longestReference else {
      throw AnswerPath.fault("'\(shown)…' has \(inside.count) bytes; a reference has at most \(longestReference)")
    }
    let text = String(decoding: inside, as: UTF8.self)
    let words = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    guard let call = words.first.flatMap({ Int($0) }), !words.contains(""), words.count <= longestPath else {
      throw AnswerPath.fault(
        "'\(shown)' must be $, the place of a call and names, such as $0.session.session_id; a text that begins with $ "
          + "is written with $$")
    }
    guard earlier.indices.contains(call) else {
      throw AnswerPath.fault("'\(shown)' must refer to a call before this one; there are \(earlier.count)")
    }
    let path = try AnswerPath(
      Array(words.dropFirst()), in: earlier[call].output.name, of: catalogue, shown: shown)
    return (call, path, shown)
  }

  private static let longestPath = 32
  /// The longest path of a reference: names of fields are short, and it leaves room for the key of a map.
  private static let longestReference = 1_024
  /// The most bytes that answers may add to a request: otherwise a few calls could make many large requests.
  private static let mostFilled = 1 << 20
  /// The most bytes of answers that may be searched for the values: each reference is looked up from its answer's
  /// start.
  private static let mostSearched = 64 << 20

  /// About how many bytes `filled` has to look at.
  func cost(with outcomes: [BatchOutcome?]) -> Int {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .text(let text): sum + text.count
      case .answer(let call, _, _): sum + Self.size(of: outcomes[call])
      }
    }
  }

  private static func size(of outcome: BatchOutcome?) -> Int {
    if case .answer(let json) = outcome { json.count } else { 0 }
  }

  /// The request with the values from the answers; throws when one of them is missing.
  func filled(from outcomes: [BatchOutcome?]) throws(Status) -> [UInt8] {
    var bytes: [UInt8] = []
    var (filled, searched) = (0, 0)
    for piece in pieces {
      // The batch was given up, so nobody waits for this request.
      guard !Task.isCancelled else { throw Status(.cancelled, rule: "not_run", "the batch was given up") }
      switch piece {
      case .text(let text): bytes += text
      case .answer(let call, let path, let shown):
        searched += Self.size(of: outcomes[call])
        guard searched <= Self.mostSearched else {
          throw Status(
            .invalidArgument, rule: "not_run",
            "the answers that references of this request look through have more than \(Self.mostSearched) bytes")
        }
        let value = try Self.value(of: outcomes[call], path, call, shown)
        filled += value.count
        guard filled <= Self.mostFilled else {
          throw Status(
            .invalidArgument, rule: "not_run", "answers bring more than \(Self.mostFilled) bytes into this request")
        }
        bytes += value
      }
    }
    return bytes
  }

  private static func value(
    of outcome: BatchOutcome?, _ path: AnswerPath, _ call: Int, _ shown: String
  ) throws(Status) -> ArraySlice<UInt8> {
    guard case .answer(let json) = outcome else {
      throw Status(.failedPrecondition, rule: "not_run", "'\(shown)' is not there, for call \(call) did not end well")
    }
    guard let value = JSONWalk.value(at: path, in: json) else {
      throw Status(.failedPrecondition, rule: "not_run", "the answer of call \(call) has no '\(shown)'")
    }
    return value
  }
}
