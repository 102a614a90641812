internal import Base

/// Rewrites untrusted markup so that only what an allow-list names is left, and reports what was removed.
package struct Sanitizer: Sendable {
  /// Something that was removed.
  package struct Removal: Hashable, Sendable {
    package let what: String
    package let reason: String
  }

  package struct Result: Hashable, Sendable {
    package let markup: String
    package let removed: [Removal]
  }

  private let allowed: AllowList

  package init(_ allowed: AllowList = .document) {
    self.allowed = allowed
  }

  /// At most this many removals are reported; the same one is reported once.
  package static let mostReported = 100
  package static let deepest = 100

  /// Cleans markup repeatedly, until it no longer changes. Parsing written markup again may give another tree than the
  /// one that it was written from (a link inside a link, a table in a heading), and in that way cleaned markup could
  /// become active again in a browser.
  package func sanitize(_ markup: String) throws(MarkupError) -> Result {
    var budget = MarkupBudget()
    return try sanitize(markup, &budget)
  }

  /// - Parameter budget: what is left of the budget of the call that brought the markup.
  package func sanitize(_ markup: String, _ budget: inout MarkupBudget) throws(MarkupError) -> Result {
    try budget.checkTime()
    try budget.spend(on: markup)
    var (output, removed, errors) = try pass(markup)
    if errors > 0 {
      let reason = "a strict reader finds \(errors) errors; read as browsers do"
      removed.append(Removal(what: "malformed markup", reason: reason))
    }
    for _ in 0..<Self.mostPasses {
      try budget.checkTime()
      let again = try pass(output)
      // Compared by bytes: markup that has to be cleaned again may have more combining marks on a letter than strings
      // may be compared with.
      if again.output.utf8.elementsEqual(output.utf8) { return Result(markup: output, removed: removed) }
      output = again.output
    }
    removed.append(Removal(what: "markup", reason: "it reads differently each time; only its text stays"))
    let plain = try text(of: output)
    return Result(markup: MarkupText.escaped(StreamSafeText.limited(plain) ?? plain), removed: removed)
  }

  private static let mostPasses = 16

  private func pass(_ markup: String) throws(MarkupError) -> (output: String, removed: [Removal], errors: Int) {
    let (events, errors) = try HTMLReader.read(markup)
    var writer = MarkupWriter(allowed: allowed)
    for event in events { writer.take(event) }
    return (writer.output, writer.removed, errors)
  }

  private func text(of markup: String) throws(MarkupError) -> String {
    try HTMLReader.read(markup).events.reduce(into: "") { text, event in
      if case .text(let piece) = event { text += piece }
    }
  }
}

/// Writes allowed events and records the others.
private struct MarkupWriter {
  let allowed: AllowList
  private(set) var output = ""
  private(set) var removed: [Sanitizer.Removal] = []
  private var isWritten: [Bool] = []
  private var droppedDepth = 0

  init(allowed: AllowList) {
    self.allowed = allowed
  }

  mutating func take(_ event: MarkupEvent) {
    switch event {
    case .open(let name, let attributes): open(name, attributes)
    case .close(let name): close(name)
    case .text(let text): if droppedDepth == 0 { output += MarkupText.escaped(limited(text)) }
    case .comment: note("comment", "comments are not kept")
    }
  }

  /// Longer than any name in the allow-list. Longer names are not looked up.
  private static let longestName = 64

  private mutating func limited(_ text: String) -> String {
    guard let less = StreamSafeText.limited(text) else { return text }
    note("combining marks", "more than \(StreamSafeText.mostMarks) stand on one letter")
    return less
  }

  private mutating func open(_ name: String, _ attributes: [MarkupAttribute]) {
    let isLong = name.utf8.count > Self.longestName
    if droppedDepth > 0 || (!isLong && allowed.droppedWhole.contains(name)) {
      if droppedDepth == 0 { note("<\(name)>", "the element and all that is in it are not allowed") }
      droppedDepth += 1
      return
    }
    guard !isLong, let own = allowed.elements[name] else {
      note("<\(name)>", "the element is not allowed; its text stays")
      isWritten.append(false)
      return
    }
    guard isWritten.count < Sanitizer.deepest else {
      note("<\(name)>", "nested more than \(Sanitizer.deepest) deep; its text stays")
      isWritten.append(false)
      return
    }
    var kept: [MarkupAttribute] = []
    for attribute in attributes {
      let short = MarkupAttribute(name: attribute.name, value: limited(attribute.value))
      if keeps(short, on: name, own: own) { kept.append(named(short, on: name)) }
    }
    if name == "img", !kept.contains(where: { $0.name == "src" }) {
      note("<img>", "an image without an asset is not allowed")
      isWritten.append(false)
      return
    }
    output += "<\(spelling(name))"
    // A drawing states its namespace: as a file of its own it is read as XML.
    if name == "svg" { output += " xmlns=\"http://www.w3.org/2000/svg\"" }
    for attribute in kept { output += " \(spelling(attribute.name))=\"\(MarkupText.escaped(attribute.value))\"" }
    if name == "a", kept.contains(where: { $0.name == "href" && !$0.value.hasPrefix("#") }) {
      output += " rel=\"noopener noreferrer\""
    }
    output += ">"
    isWritten.append(true)
  }

  private mutating func close(_ name: String) {
    if droppedDepth > 0 {
      droppedDepth -= 1
    } else if isWritten.popLast() == true, !allowed.empty.contains(name) {
      output += "</\(spelling(name))>"
    }
  }

  private mutating func keeps(_ attribute: MarkupAttribute, on element: String, own: Set<String>) -> Bool {
    guard attribute.name.utf8.count <= Self.longestName else {
      note("\(attribute.name.shortened) on <\(element)>", "the attribute is not allowed")
      return false
    }
    let name = attribute.name.lowercased()
    if element == "a", name == "rel" { return false }
    if element == "svg", name == "xmlns" { return false }
    guard own.contains(name) || allowed.common.contains(name) else {
      let reason = name.hasPrefix("on") ? "event handlers are not allowed" : "the attribute is not allowed"
      note("\(name) on <\(element)>", reason)
      return false
    }
    if name == "lang", LocaleTag(attribute.value) == nil {
      note("lang on <\(element)>", "\"\(attribute.value.shortened)\" is no language tag such as de-AT")
      return false
    }
    if allowed.references.contains(name), !isSafe(attribute.value, of: name, on: element) {
      note("\(name) on <\(element)>", "it points to \"\(attribute.value.shortened)\", which is not allowed")
      return false
    }
    if allowed.styles.contains(name), !StyleValue.isPlain(attribute.value) {
      note("\(name) on <\(element)>", "it may load something: \"\(attribute.value.shortened)\", which is not allowed")
      return false
    }
    return true
  }

  /// Writes an image's source in the one form in which `Reference.assets` looks for it.
  private func named(_ attribute: MarkupAttribute, on element: String) -> MarkupAttribute {
    guard element == "img", attribute.name.lowercased() == "src", let hash = Reference.assetHash(attribute.value) else {
      return attribute
    }
    return MarkupAttribute(name: attribute.name, value: "asset:\(hash)")
  }

  private func isSafe(_ value: String, of name: String, on element: String) -> Bool {
    switch (element, name) {
    case ("img", "src"): Reference.assetHash(value) != nil
    case ("use", "href"): value.hasPrefix("#")
    default: Reference.isSafeLink(value)
    }
  }

  private mutating func note(_ what: String, _ reason: String) {
    let removal = Sanitizer.Removal(what: what.shortened, reason: reason)
    guard removed.count < Sanitizer.mostReported, !removed.contains(removal) else { return }
    removed.append(removal)
  }

  /// SVG spells some names in mixed case; the allow-list and the reader use lower case.
  private func spelling(_ name: String) -> String {
    Self.mixedCase[name.lowercased()] ?? name.lowercased()
  }

  private static let mixedCase: [String: String] = [
    "viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio", "pathlength": "pathLength",
    "textlength": "textLength", "lineargradient": "linearGradient", "radialgradient": "radialGradient",
    "gradientunits": "gradientUnits", "gradienttransform": "gradientTransform", "spreadmethod": "spreadMethod",
    "clippath": "clipPath", "clippathunits": "clipPathUnits", "maskunits": "maskUnits",
  ]
}
