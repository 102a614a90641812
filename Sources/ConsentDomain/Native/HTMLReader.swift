internal import CGumbo

/// Parses HTML as browsers do, into a flat list of events.
package enum HTMLReader {
  /// The events of `html`, parsed as the content of a `div`; and how many errors a strict parser would have found.
  package static func read(_ html: String) throws(MarkupError) -> (events: [MarkupEvent], errors: Int) {
    try MarkupBounds.checkLength(html)
    // The bounds are checked on exactly what the parser gets.
    let html = CharacterData.asText(html)
    try MarkupBounds.check(html)
    let arena = MarkupArena()
    var bytes = Array(html.utf8)
    bytes.append(0)
    return withExtendedLifetime(arena) {
      var options = unsafe kGumboDefaultOptions
      unsafe options.userdata = Unmanaged.passUnretained(arena).toOpaque()
      unsafe options.allocator = { arena, count in
        guard let arena = unsafe arena else { return nil }
        return unsafe Unmanaged<MarkupArena>.fromOpaque(arena).takeUnretainedValue().allocate(count)
      }
      unsafe options.deallocator = { _, _ in }
      unsafe options.fragment_context = GUMBO_TAG_DIV
      unsafe options.max_errors = 1000
      return unsafe bytes.withUnsafeBytes { buffer in
        let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let output = unsafe gumbo_parse_with_options(&options, text, buffer.count - 1) else { return ([], 0) }
        return unsafe (events(under: output.pointee.root), Int(output.pointee.errors.length))
      }
    }
  }

  /// Walks the tree without recursion: the stack holds the position among each open element's children.
  private static func events(under root: UnsafeMutablePointer<GumboNode>) -> [MarkupEvent] {
    var events: [MarkupEvent] = []
    var open: [(node: UnsafeMutablePointer<GumboNode>, name: String, next: Int)] = unsafe [(root, "", 0)]
    while let top = unsafe open.last {
      let children = unsafe top.node.pointee.v.element.children
      guard unsafe top.next < Int(children.length), let child = unsafe children.data?[top.next] else {
        unsafe open.removeLast()
        if unsafe !open.isEmpty { unsafe events.append(.close(top.name)) }
        continue
      }
      unsafe open[open.count - 1].next += 1
      let node = unsafe child.assumingMemoryBound(to: GumboNode.self)
      switch unsafe node.pointee.type {
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        let name = unsafe elementName(node.pointee.v.element)
        unsafe events.append(.open(name, attributes(of: node.pointee.v.element)))
        unsafe open.append((node, name, 0))
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        if let text = unsafe node.pointee.v.text.text { unsafe events.append(.text(String(cString: text))) }
      case GUMBO_NODE_COMMENT:
        events.append(.comment)
      default:
        break
      }
    }
    return events
  }

  private static func elementName(_ element: GumboElement) -> String {
    if unsafe element.tag != GUMBO_TAG_UNKNOWN, let name = unsafe gumbo_normalized_tagname(element.tag) {
      return unsafe String(cString: name)
    }
    var original = unsafe element.original_tag
    unsafe gumbo_tag_from_original_text(&original)
    guard let data = unsafe original.data else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(original.length))
    return unsafe String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private static func attributes(of element: GumboElement) -> [MarkupAttribute] {
    unsafe (0..<Int(element.attributes.length)).compactMap { index in
      guard let item = unsafe element.attributes.data?[index] else { return nil }
      let attribute = unsafe item.assumingMemoryBound(to: GumboAttribute.self).pointee
      guard let name = unsafe attribute.name, let value = unsafe attribute.value else { return nil }
      return unsafe MarkupAttribute(name: String(cString: name), value: String(cString: value))
    }
  }
}
