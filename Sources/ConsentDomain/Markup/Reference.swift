/// Checks the targets of links and images.
package enum Reference {
  /// True if following the link runs no code here: http, https, mailto, tel, or a place in the same document.
  package static func isSafeLink(_ value: String) -> Bool {
    let seen = asBrowsersRead(value)
    if seen.hasPrefix("#") { return true }
    guard let colon = seen.firstIndex(of: ":") else { return false }
    return ["http", "https", "mailto", "tel"].contains(String(seen[..<colon]).lowercased())
  }

  /// The hash in `asset:…`, the only kind of image that text may show; nil for anything that would be loaded from
  /// elsewhere.
  package static func assetHash(_ value: String) -> String? {
    let seen = asBrowsersRead(value)
    guard seen.hasPrefix("asset:") else { return nil }
    let hash = String(seen.dropFirst("asset:".count))
    let isHash = hash.utf8.count == 64 && hash.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    return isHash ? hash : nil
  }

  /// The hashes of all images that clean markup shows. In clean markup, a `"` inside texts and attribute values is
  /// always escaped, so that ` src="asset:` is found only as an attribute.
  package static func assets(in html: String) -> Set<String> {
    var found: Set<String> = []
    var rest = Array(html.utf8)[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      let before = rest[..<quote].suffix(source.count)
      rest = rest[(quote + 1)...]
      guard rest.starts(with: scheme), before.elementsEqual(source) else { continue }
      found.insert(String(decoding: rest.dropFirst(scheme.count).prefix(64), as: UTF8.self))
    }
    return found
  }

  private static let source = Array(" src=".utf8)
  private static let scheme = Array("asset:".utf8)

  /// Browsers skip control characters and white space in front, and tabs and line ends anywhere.
  private static func asBrowsersRead(_ value: String) -> String {
    let visible = value.unicodeScalars.filter { ![9, 10, 13].contains($0.value) }.drop { $0.value <= 32 }
    return String(String.UnicodeScalarView(visible))
  }
}
