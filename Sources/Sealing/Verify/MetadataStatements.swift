/// Metadata (XMP) as what it states, however it is written: RDF writes the same statement as an attribute, as an
/// element or as a resource, and programs that save a file again choose anew.
struct MetadataStatements {
  /// What is stated of a property. Text is compared byte by byte.
  private indirect enum Value: Hashable {
    case text([UInt8])
    case list(kind: [UInt8], [Value])
    case parts([[UInt8]: Value])
    case inLanguage([UInt8], Value)
  }

  private let values: [[UInt8]: Value]

  /// The names of the properties that differ, apart from those that programs write whenever they save a file; nil if
  /// they cannot be compared.
  static func differences(_ one: [UInt8], _ other: [UInt8]) -> [String]? {
    guard let before = MetadataStatements(one)?.values, let after = MetadataStatements(other)?.values else {
      return nil
    }
    let names = Set(before.keys).union(after.keys).filter { name in
      guard before[name] != after[name] else { return false }
      return !isOfSaving(name, after[name])
    }
    return names.map(shown).sorted()
  }

  // MARK: - What saving changes

  private static let prefixes = [
    "http://purl.org/dc/elements/1.1/ ": "dc:", xmp: "xmp:", "http://ns.adobe.com/pdf/1.3/ ": "pdf:",
    "http://ns.adobe.com/xap/1.0/mm/ ": "xmpMM:", "http://www.aiim.org/pdfa/ns/id/ ": "pdfaid:",
    "http://www.aiim.org/pdfua/ns/id/ ": "pdfuaid:", "http://www.aiim.org/pdfa/ns/extension/ ": "pdfaExtension:",
  ]
  private static let xmp = "http://ns.adobe.com/xap/1.0/ "
  private static let dates = ["ModifyDate", "MetadataDate"].map { Array((xmp + $0).utf8) }
  private static let writers = ["http://ns.adobe.com/pdf/1.3/ Producer", "http://ns.adobe.com/xap/1.0/mm/ InstanceID"]
    .map { Array($0.utf8) }

  private static func isOfSaving(_ name: [UInt8], _ value: Value?) -> Bool {
    guard case .text(let text)? = value else { return false }
    return writers.contains(name) || (dates.contains(name) && text.count <= 40 && text.allSatisfy(isPartOfDate))
  }

  private static func isPartOfDate(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func shown(_ name: [UInt8]) -> String {
    let text = String(decoding: name, as: UTF8.self)
    for (space, prefix) in prefixes where text.hasPrefix(space) {
      return ShownText.plain(prefix + text.dropFirst(space.count))
    }
    return ShownText.plain(text)
  }

  // MARK: - Reading

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
  private static func rdf(_ name: String) -> [UInt8] { Array((rdf + name).utf8) }
  private static let language = Array("http://www.w3.org/XML/1998/namespace lang".utf8)
  private static let (description, about, resource) = (rdf("Description"), rdf("about"), rdf("resource"))
  private static let (parseType, item) = (rdf("parseType"), rdf("li"))
  private static let lists = Set(["Bag", "Seq", "Alt"].map(rdf))

  /// nil for what is no RDF in the forms that XMP has.
  private init?(_ xml: [UInt8]) {
    guard var root = MetadataElement.parse(xml) else { return nil }
    if root.name == Array("adobe:ns:meta/ xmpmeta".utf8) {
      guard root.children.count == 1, !root.hasText else { return nil }
      root = root.children[0]
    }
    guard root.name == Self.rdf("RDF"), !root.hasText else { return nil }
    var all: [[UInt8]: Value] = [:]
    for part in root.children {
      // All of it has to be about the document itself.
      guard part.name == Self.description, part.attributes[Self.about]?.isEmpty != false, let own = Self.parts(of: part)
      else { return nil }
      for (name, value) in own {
        guard all.updateValue(value, forKey: name) == nil else { return nil }
      }
    }
    values = all
  }

  /// The statements of an element, from its attributes and the elements in it.
  private static func parts(of element: MetadataElement) -> [[UInt8]: Value]? {
    guard !element.hasText else { return nil }
    var parts: [[UInt8]: Value] = [:]
    for (name, text) in element.attributes where ![about, parseType].contains(name) {
      guard isProperty(name) else { return nil }
      parts[name] = .text(text)
    }
    for child in element.children {
      guard isProperty(child.name), let value = value(of: child), parts.updateValue(value, forKey: child.name) == nil
      else { return nil }
    }
    return parts
  }

  /// Properties have a namespace; of RDF's own names only the value of a qualified one is one.
  private static func isProperty(_ name: [UInt8]) -> Bool {
    if name == rdf("value") { return true }
    return name.contains(32) && !name.starts(with: rdf.utf8) && name != language
  }

  private static func value(of element: MetadataElement) -> Value? {
    let attributes = element.attributes.filter { $0.key != language }
    guard let value = plainValue(of: element, attributes) else { return nil }
    return element.attributes[language].map { .inLanguage($0, value) } ?? value
  }

  private static func plainValue(of element: MetadataElement, _ attributes: [[UInt8]: [UInt8]]) -> Value? {
    if let type = attributes[parseType] {
      guard type == Array("Resource".utf8), attributes.count == 1, element.attributes[language] == nil else {
        return nil
      }
      return parts(of: element).map { .parts($0) }
    }
    if let address = attributes[resource] {
      // An address is the same statement as its text: XMP has no other resources.
      guard attributes.count == 1, element.children.isEmpty, !element.hasText else { return nil }
      return .text(address)
    }
    guard let only = element.children.first else {
      if attributes.isEmpty { return .text(element.text) }
      // The parts of a value without text may stand as attributes.
      guard !element.hasText, element.attributes[language] == nil else { return nil }
      return parts(of: element).map { .parts($0) }
    }
    guard attributes.isEmpty, element.children.count == 1, !element.hasText else { return nil }
    if only.name == description {
      guard only.attributes[about] == nil else { return nil }
      return parts(of: only).map { .parts($0) }
    }
    guard lists.contains(only.name), only.attributes.isEmpty, !only.hasText else { return nil }
    var items: [Value] = []
    for child in only.children {
      guard child.name == item, let value = value(of: child) else { return nil }
      items.append(value)
    }
    return .list(kind: only.name, items)
  }
}
