internal import Face
internal import RPC
internal import ServiceKit
internal import Wire

/// The requests of a call: from the command line, or from standard input.
///
/// A method with one request takes the JSON of the command line, standard input if that is `-`, and an empty request
/// without either. A method with a stream of them takes the JSON of the command line as the only one; without it, each
/// line of standard input.
struct CallRequests: AsyncSequence, Sendable {
  private let method: Catalogue.Method
  private let json: String?

  init(_ method: Catalogue.Method, json: String?) throws(CallError) {
    self.method = method
    self.json = json
    // A mistake on the command line is found before a gateway is looked for.
    if let json, json != Self.fromInput { _ = try Self.binary(json, method, place: "") }
  }

  private static let fromInput = "-"

  /// The request of a method that takes one; nil for a method with a stream of them.
  func single() throws(CallError) -> [UInt8]? {
    if method.descriptor.kind.clientStreams { return nil }
    guard json == Self.fromInput else { return try Self.binary(json ?? "{}", method, place: "") }
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return try Self.binary(text, method, place: "")
  }

  func makeAsyncIterator() -> Iterator { Iterator(requests: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let requests: CallRequests
    private var count = 0

    fileprivate init(requests: CallRequests) {
      self.requests = requests
    }

    mutating func next() async throws -> [UInt8]? {
      guard requests.method.descriptor.kind.clientStreams else { return nil }
      count += 1
      if let json = requests.json, json != CallRequests.fromInput {
        return count == 1 ? try CallRequests.binary(json, requests.method, place: "") : nil
      }
      while let line = readLine() {
        if line.allSatisfy(\.isWhitespace) { continue }
        return try CallRequests.binary(line, requests.method, place: "request \(count): ")
      }
      return nil
    }
  }

  private static func binary(
    _ text: String, _ method: Catalogue.Method, place: String
  ) throws(CallError) -> [UInt8] {
    let bytes = Array(text.utf8)
    do throws(CodecError) {
      return try method.input.binary(fromJSON: bytes.span)
    } catch {
      throw CallError("\(place)the JSON of \(method.input.name) cannot be read: \(error)")
    }
  }
}
