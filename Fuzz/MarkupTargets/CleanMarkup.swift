internal import ConsentDomain

/// Reads cleaned markup as nobody can misread it: text without tags' letters, and tags that are spelled in one way,
/// with elements and attributes that the allow-list names. The sanitiser's own reader has no part in it.
struct CleanMarkup {
  private typealias Scalars = Substring.UnicodeScalarView

  private let allowed: AllowList

  /// What is not as it has to be; nil if all is.
  static func fault(in markup: String, _ allowed: AllowList) -> String? {
    let reader = CleanMarkup(allowed: allowed)
    var rest = Substring(markup).unicodeScalars
    while let start = rest.firstIndex(of: "<") {
      if rest[..<start].contains(">") { return "a tag ends that has not begun" }
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ">") else { return "a tag does not end" }
      if let fault = reader.fault(inTag: rest[..<end]) { return fault }
      rest = rest[rest.index(after: end)...]
    }
    return rest.contains(">") ? "a tag ends that has not begun" : nil
  }

  private func fault(inTag tag: Scalars) -> String? {
    if tag.first == "/" {
      let name = String(tag.dropFirst()).lowercased()
      return allowed.elements[name] == nil ? "</\(name)> is left" : nil
    }
    var rest = tag[(tag.firstIndex(of: " ") ?? tag.endIndex)...]
    let element = String(tag[..<rest.startIndex]).lowercased()
    guard let own = allowed.elements[element] else { return "<\(element)> is left" }
    while !rest.isEmpty {
      rest = rest.dropFirst()
      guard let equals = rest.firstIndex(of: "=") else { return "an attribute of <\(element)> has no value" }
      let name = String(rest[..<equals]).lowercased()
      let value = rest[equals...].dropFirst()
      guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else {
        return "\(name) of <\(element)> has no quotes"
      }
      if let fault = fault(in: name, String(value[..<end].dropFirst()), of: element, own) { return fault }
      rest = value[value.index(after: end)...]
      guard rest.isEmpty || rest.first == " " else { return "something stands behind \(name) of <\(element)>" }
    }
    return nil
  }

  private func fault(in name: String, _ escaped: String, of element: String, _ own: Set<String>) -> String? {
    let value = Self.plain(escaped)
    switch (element, name) {
    case ("a", "rel"): return value == "noopener noreferrer" ? nil : "rel of <a> is \(value)"
    case ("svg", "xmlns"): return value == "http://www.w3.org/2000/svg" ? nil : "xmlns of <svg> is \(value)"
    default: break
    }
    guard own.contains(name) || allowed.common.contains(name) else { return "\(name) of <\(element)> is left" }
    // Browsers pass over white space and control characters in an address.
    let seen = String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value > 32 })).lowercased()
    if allowed.references.contains(name) {
      let beginnings =
        switch element {
        case "img": ["asset:"]
        case "use": ["#"]
        default: ["#", "http:", "https:", "mailto:", "tel:"]
        }
      guard beginnings.contains(where: seen.hasPrefix) else { return "\(name) of <\(element)> leads to \(value)" }
    }
    guard allowed.styles.contains(name) else { return nil }
    if seen.unicodeScalars.contains("\\") { return "\(name) of <\(element)> has an escape" }
    // By scalars, as browsers read: a mark behind a letter makes it no other one.
    let scalars = Array(seen.unicodeScalars)
    let loads = scalars.indices.contains { place in
      scalars[place...].starts(with: "url(".unicodeScalars) && scalars.dropFirst(place + 4).first != "#"
    }
    return loads ? "\(name) of <\(element)> loads \(value)" : nil
  }

  /// Without references, of which the sanitiser writes five.
  private static func plain(_ text: String) -> String {
    var plain = text
    for (reference, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
      plain = plain.replacing(reference, with: letter)
    }
    return plain
  }
}
