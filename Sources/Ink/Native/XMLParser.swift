internal import Base
internal import CExpat

/// Parses XML by expat, without what makes XML dangerous: a document with a DTD is refused before it can declare an
/// entity.
struct XMLParser {
  /// The parts of a document, in its order.
  enum Event {
    case start(String, attributes: [String: String])
    case text([UInt8])
    case end(String)
  }

  private static let deepest = 32

  /// Reads a whole document, passing its events to `handle` until that throws.
  static func parse(_ bytes: [UInt8], _ handle: (Event) throws(InkError) -> Void) throws(InkError) {
    guard let parser = unsafe XML_ParserCreate(nil) else { preconditionFailure("no memory for a parser") }
    defer { unsafe XML_ParserFree(parser) }
    let failure: InkError? = withoutActuallyEscaping(handle) { handle in
      let run = unsafe Run(parser, handle)
      unsafe connect(parser, run)
      let status = unsafe bytes.withUnsafeBytes { buffer in
        unsafe XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
      }
      if let failure = run.failure { return failure }
      return status == XML_STATUS_OK ? nil : unsafe syntaxError(parser)
    }
    if let failure { throw failure }
  }

  private static func connect(_ parser: XML_Parser, _ run: Run) {
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(run).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in unsafe Run.of(context).start(name, attributes) },
      { context, name in unsafe Run.of(context).end(name) })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      unsafe Run.of(context).text(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      unsafe Run.of(context).stop(
        InkError(path: "InkML", finding: "has a document type", requirement: "entities and types are not read"))
    }
  }

  private static func syntaxError(_ parser: XML_Parser) -> InkError {
    let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "no reason"
    let line = unsafe XML_GetCurrentLineNumber(parser)
    return InkError(
      path: "InkML", finding: "is not well-formed in line \(line): \(reason)", requirement: "it must be XML 1.0")
  }

  /// One document being read.
  @safe private final class Run {
    private let parser: XML_Parser
    private let handle: (Event) throws(InkError) -> Void
    private var depth = 0
    private(set) var failure: InkError?

    init(_ parser: XML_Parser, _ handle: @escaping (Event) throws(InkError) -> Void) {
      unsafe self.parser = unsafe parser
      self.handle = handle
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Run {
      guard let context = unsafe context else { preconditionFailure("expat hands back what it was given") }
      return unsafe Unmanaged<Run>.fromOpaque(context).takeUnretainedValue()
    }

    func start(_ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
      depth += 1
      guard depth <= XMLParser.deepest else {
        return stop(
          InkError(
            path: "InkML", finding: "is nested more than \(XMLParser.deepest) levels deep",
            requirement: "ink needs no more"))
      }
      var attributes: [String: String] = [:]
      var index = 0
      while let list = unsafe list, let key = unsafe list[index], let value = unsafe list[index + 1] {
        guard let key = bounded(unsafe String(cString: key)), let value = bounded(unsafe String(cString: value)) else {
          return
        }
        attributes[Self.local(key)] = value
        index += 2
      }
      guard let name = bounded(unsafe Self.text(name)) else { return }
      tell(.start(Self.local(name), attributes: attributes))
    }

    func end(_ name: UnsafePointer<CChar>?) {
      depth -= 1
      tell(.end(Self.local(unsafe Self.text(name))))
    }

    func text(_ characters: UnsafeBufferPointer<CChar>) {
      tell(.text(unsafe characters.map { UInt8(bitPattern: $0) }))
    }

    func stop(_ error: InkError) {
      guard failure == nil else { return }
      failure = error
      unsafe XML_StopParser(parser, 0)
    }

    /// Returns the text, or stops the parser if comparing the text would be slow.
    private func bounded(_ text: String) -> String? {
      guard StreamSafeText.holds(text) else {
        stop(
          InkError(
            path: "InkML", finding: "has more than \(StreamSafeText.mostMarks) combining marks in a row",
            requirement: StreamSafeText.requirement))
        return nil
      }
      return text
    }

    private func tell(_ event: Event) {
      guard failure == nil else { return }
      do throws(InkError) { try handle(event) } catch { stop(error) }
    }

    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
      unsafe characters.map { unsafe String(cString: $0) } ?? ""
    }

    /// A name without the prefix of its namespace.
    private static func local(_ name: String) -> String {
      name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
  }
}
