/// Why markup is not read, or not read to its end.
package enum MarkupError: Error, Hashable, Sendable {
  case tooLong(bytes: Int, bound: Int)
  case tooManyTags(count: Int, bound: Int)
  case tooManyAttributes(bound: Int)
  case tooManyFormattingAttributes(bound: Int)
  case tooManyBrackets(count: Int, bound: Int)
  case tooTangled(work: Int, bound: Int)
  case tooDeep(depth: Int, bound: Int)
  case tooManyNestedLines(work: Int, bound: Int)
  /// The text exceeds a bound together with what was read before for the same call.
  case tooMuchAltogether(String, count: Int, bound: Int)
  /// The caller no longer waits.
  case stopped

  package var message: String {
    switch self {
    case .tooLong(let bytes, let bound): "is \(bytes) bytes long; at most \(bound) are allowed"
    case .tooManyTags(let count, let bound): "has \(count) tags; at most \(bound) are allowed"
    case .tooManyAttributes(let bound): "has a tag with more than \(bound) attributes"
    case .tooManyFormattingAttributes(let bound): "has a formatting element with more than \(bound) attributes"
    case .tooManyBrackets(let count, let bound): "has \(count) opening brackets; at most \(bound) are allowed"
    case .tooTangled(let work, let bound):
      "leaves too many formatting elements open (\(work) copies; at most \(bound) are allowed); close each one"
    case .tooDeep(let depth, let bound):
      "nests lists and quotes \(depth) deep, by the markers or the indentation of a line; at most \(bound) are allowed"
    case .tooManyNestedLines(let work, let bound):
      "has too many lines for lists and quotes so deep (lines times depth are \(work); at most \(bound) are allowed)"
    case .tooMuchAltogether(let unit, let count, let bound):
      "makes \(count) \(unit) of markup in one call; at most \(bound) are allowed"
    case .stopped: "was not read to its end: the call's time is up"
    }
  }
}
