internal import CExpat

/// An element of metadata, with names as `URI name` where they have a namespace.
final class MetadataElement {
  let name: [UInt8]
  let attributes: [[UInt8]: [UInt8]]
  fileprivate(set) var children: [MetadataElement] = []
  /// All text directly in it.
  fileprivate(set) var text: [UInt8] = []

  init(name: [UInt8], attributes: [[UInt8]: [UInt8]]) {
    (self.name, self.attributes) = (name, attributes)
  }

  var hasText: Bool { !text.allSatisfy { [9, 10, 13, 32].contains($0) } }

  private static let mostBytes = 1 << 20

  /// The outermost element of a document; nil for what is no XML, for large or deep documents, and for one with a
  /// document type, which could declare entities.
  static func parse(_ bytes: [UInt8]) -> MetadataElement? {
    // A space is in no name, so that the last one ends the namespace.
    guard bytes.count <= mostBytes, let parser = unsafe XML_ParserCreateNS(nil, 32) else { return nil }
    defer { unsafe XML_ParserFree(parser) }
    let run = unsafe Run(parser)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(run).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in unsafe Run.of(context).start(name, attributes) },
      { context, _ in unsafe Run.of(context).end() })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      unsafe Run.of(context).text(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in unsafe Run.of(context).stop() }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    return status == XML_STATUS_OK ? run.root : nil
  }

  /// One document being read.
  @safe private final class Run {
    private let parser: XML_Parser
    private var open: [MetadataElement] = []
    private(set) var root: MetadataElement?
    private static let deepest = 64

    init(_ parser: XML_Parser) {
      unsafe self.parser = unsafe parser
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Run {
      guard let context = unsafe context else { preconditionFailure("expat hands back what it was given") }
      return unsafe Unmanaged<Run>.fromOpaque(context).takeUnretainedValue()
    }

    func start(_ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
      guard open.count < Self.deepest else { return stop() }
      var attributes: [[UInt8]: [UInt8]] = [:]
      var index = 0
      while let list = unsafe list, let key = unsafe list[index], let value = unsafe list[index + 1] {
        attributes[unsafe Self.bytes(key)] = unsafe Self.bytes(value)
        index += 2
      }
      let element = MetadataElement(name: unsafe Self.bytes(name), attributes: attributes)
      if let outer = open.last { outer.children.append(element) } else { root = element }
      open.append(element)
    }

    func end() { open.removeLast() }

    func text(_ characters: UnsafeBufferPointer<CChar>) {
      open.last?.text += unsafe characters.map { UInt8(bitPattern: $0) }
    }

    func stop() { unsafe XML_StopParser(parser, 0) }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
      guard let text = unsafe text else { return [] }
      return unsafe Array(String(cString: text).utf8)
    }
  }
}
