internal import Base
internal import PDF

extension VectorPicture {
  /// Reads an SVG that the consent service's sanitiser has cleaned: shapes with colours, lines and opacity. Throws for
  /// anything that a page would show differently, such as text or gradients.
  ///
  /// - Parameters:
  ///   - name: the drawing's name, for errors.
  ///   - allowance: what the paper's drawings may still cost; reduced by this one.
  public init(
    svg bytes: [UInt8], named name: String, within allowance: inout DrawingAllowance
  ) throws(DocumentError) {
    let place = "drawing \(name)"
    let (root, named) = try DrawingNode.read(
      String(decoding: bytes, as: UTF8.self), place: place, allowance.patience)
    var writer = DrawingWriter(place: place, named: named, DrawingBudget(allowance, named: name))
    let size = try writer.draw(root: root)
    allowance.spend(writer.budget.spent)
    self.init(operators: writer.operators, width: size.x, height: size.y, opacities: writer.opacities)
  }
}

/// Writes the shapes of a drawing as operators of a page.
private struct DrawingWriter {
  let place: String
  let named: [String: DrawingNode]
  private(set) var operators: [UInt8] = []
  private(set) var opacities: Set<VectorPicture.Opacity> = []

  private(set) var budget: DrawingBudget

  /// How many graphics states are saved at present.
  private var kept = 0

  /// The most saved graphics states: PDF/A allows 28 (6.1.13), one of which the page uses around the drawing.
  private static let mostKept = 27
  private static let deepestUse = 8
  /// The sizes that are accepted, in pixels, so that scaling them never overflows.
  private static let sizes = 0.001...1e7

  init(place: String, named: [String: DrawingNode], _ budget: DrawingBudget) {
    self.place = place
    self.named = named
    self.budget = budget
  }

  private func fault(_ finding: String) -> DocumentError { .malformed(place: place, finding: finding) }

  /// - Returns: the size in pixels.
  mutating func draw(root: DrawingNode) throws(DocumentError) -> SIMD2<Double> {
    let box = try viewBox(root)
    func side(_ name: String) throws(DocumentError) -> Double? {
      guard let text = root.attributes[name], !text.hasSuffix("%") else { return nil }
      guard let value = DrawingStyle.pixels(text.trimmed), value > 0 else {
        throw fault("has the \(name) '\(text.shortened)', which is no length in pixels")
      }
      return value
    }
    let (width, height) = (try side("width"), try side("height"))
    let natural = box.map { SIMD2($0[2], $0[3]) } ?? SIMD2(300, 150)
    let size =
      switch (width, height) {
      case (let width?, let height?): SIMD2(width, height)
      case (let width?, nil): SIMD2(width, width * natural.y / natural.x)
      case (nil, let height?): SIMD2(height * natural.x / natural.y, height)
      case (nil, nil): natural
      }
    guard Self.sizes.contains(size.x), Self.sizes.contains(size.y) else {
      throw fault("has a size that no page shows")
    }
    var style = DrawingStyle()
    try keep()
    add("0 0 \(number(size.x)) \(number(size.y)) re W n\n")
    if let box { change(try fitted(box, into: size, root)) }
    try style.take(root, place: place)
    for child in root.children { try draw(child, style, depth: 0) }
    restore()
    return size
  }

  private func viewBox(_ node: DrawingNode) throws(DocumentError) -> [Double]? {
    guard let text = node.attributes["viewbox"] else { return nil }
    guard let box = PathReader.numbers(text), box.count == 4, box[2] >= 1e-6, box[3] >= 1e-6 else {
      throw fault("has the viewBox '\(text.shortened)', which is no rectangle")
    }
    return box
  }

  private func fitted(
    _ box: [Double], into size: SIMD2<Double>, _ node: DrawingNode
  ) throws(DocumentError) -> DrawingTransform {
    let words = (node.attributes["preserveaspectratio"] ?? "xMidYMid").split(separator: " ").map(String.init)
    let (x, y) = (size.x / box[2], size.y / box[3])
    let start = SIMD2(box[0], box[1])
    if words.first == "none" { return .scale(x, y, from: start, to: .zero) }
    guard words.dropFirst().first != "slice" else { throw fault("is cut off by preserveAspectRatio") }
    let scale = min(x, y)
    let free = size - SIMD2(box[2], box[3]) * scale
    let shares = ["Min": 0.0, "Mid": 0.5, "Max": 1.0]
    let align = words.first ?? ""
    let (left, top) = (shares[String(align.dropFirst().prefix(3))] ?? 0.5, shares[String(align.suffix(3))] ?? 0.5)
    return .scale(scale, scale, from: start, to: SIMD2(free.x * left, free.y * top))
  }

  // MARK: - Shapes

  private mutating func draw(_ node: DrawingNode, _ outer: DrawingStyle, depth: Int) throws(DocumentError) {
    try budget.read(node.cost)
    try budget.wrote(operators.count)
    switch node.element {
    case "title", "desc", "defs", "symbol", "clippath", "lineargradient", "radialgradient": return
    case "g", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon": break
    default: throw fault("has <\(node.element)>, which is not shown in documents")
    }
    guard node.attributes["display"]?.trimmed.lowercased() != "none" else { return }
    guard node.attributes["mask"] == nil else { throw fault("has a mask, which is not shown in documents") }
    var style = outer
    try style.take(node, place: place)
    let (transform, clip) = (node.attributes["transform"], node.attributes["clip-path"])
    let isWrapped = transform != nil || clip != nil
    if isWrapped { try keep() }
    if let transform { try change(transform) }
    if let clip { try clipTo(clip) }
    switch node.element {
    case "g": for child in node.children { try draw(child, style, depth: depth) }
    case "use": try use(node, style, depth: depth)
    default: if style.isVisible { try paint(try outline(node), style, isLine: node.element == "line") }
    }
    if isWrapped { restore() }
  }

  private mutating func use(_ node: DrawingNode, _ style: DrawingStyle, depth: Int) throws(DocumentError) {
    let name = (node.attributes["href"] ?? "").dropFirst()
    guard let target = named[String(name)] else { throw fault("uses '#\(name.shortened)', which is not in it") }
    guard depth < Self.deepestUse else { throw fault("uses parts of itself more than \(Self.deepestUse) deep") }
    try keep()
    change(DrawingTransform(values: [1, 0, 0, 1, try length(node, "x"), try length(node, "y")]))
    if target.element == "symbol" {
      try budget.read(target.cost)
      var inner = style
      try inner.take(target, place: place)
      if let box = try viewBox(target) {
        let size = SIMD2(try length(node, "width", or: box[2]), try length(node, "height", or: box[3]))
        add("0 0 \(number(size.x)) \(number(size.y)) re W n\n")
        change(try fitted(box, into: size, target))
      }
      for child in target.children { try draw(child, inner, depth: depth + 1) }
    } else {
      try draw(target, style, depth: depth + 1)
    }
    restore()
  }

  private mutating func clipTo(_ text: String) throws(DocumentError) {
    if text.trimmed == "none" { return }
    guard text.trimmed.lowercased().hasPrefix("url(#"),
      let target = named[String(text.trimmed.dropFirst(5).dropLast())],
      target.element == "clippath"
    else { throw fault("is clipped by '\(text.shortened)', which is no clipPath in it") }
    guard target.attributes["clippathunits"] != "objectBoundingBox", target.attributes["transform"] == nil,
      target.children.allSatisfy({ $0.attributes["transform"] == nil && $0.attributes["clip-path"] == nil })
    else { throw fault("is clipped by a shape of changed size, which is not shown in documents") }
    let isEvenOdd = target.children.count == 1 && target.children[0].attributes["clip-rule"] == "evenodd"
    for child in target.children where child.element != "title" {
      try budget.read(child.cost)
      try write(try outline(child))
    }
    if target.children.isEmpty { add("0 0 0 0 re ") }
    add(isEvenOdd ? "W* n\n" : "W n\n")
  }

  private func length(_ node: DrawingNode, _ name: String, or usual: Double = 0) throws(DocumentError) -> Double {
    guard let text = node.attributes[name] else { return usual }
    guard let value = DrawingStyle.pixels(text.trimmed) else {
      throw fault("has \(name)=\"\(text.shortened)\" on <\(node.element)>, which is no length in pixels")
    }
    return value
  }

  private func outline(_ node: DrawingNode) throws(DocumentError) -> [PathReader.Step] {
    switch node.element {
    case "path":
      guard let steps = PathReader.steps(node.attributes["d"] ?? "") else {
        throw fault("has a path that cannot be read: '\((node.attributes["d"] ?? "").shortened)'")
      }
      return steps
    case "line":
      let (from, to) = (
        SIMD2(try length(node, "x1"), try length(node, "y1")), SIMD2(try length(node, "x2"), try length(node, "y2"))
      )
      return [.move(from), .line(to)]
    case "polyline", "polygon":
      guard let numbers = PathReader.numbers(node.attributes["points"] ?? ""), numbers.count % 2 == 0 else {
        throw fault("has points that cannot be read: '\((node.attributes["points"] ?? "").shortened)'")
      }
      let points = stride(from: 0, to: numbers.count, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
      guard let first = points.first else { return [] }
      return [.move(first)] + points.dropFirst().map { .line($0) } + (node.element == "polygon" ? [.close] : [])
    case "circle":
      let radius = try length(node, "r")
      return Self.ellipse(SIMD2(try length(node, "cx"), try length(node, "cy")), SIMD2(radius, radius))
    case "ellipse":
      return Self.ellipse(
        SIMD2(try length(node, "cx"), try length(node, "cy")), SIMD2(try length(node, "rx"), try length(node, "ry")))
    case "rect": return try rectangle(node)
    default: throw fault("is clipped by <\(node.element)>, which is not shown in documents")
    }
  }

  /// How far the control points of a quarter circle are from its ends, in radii.
  private static let reach = 0.5522847498

  private static func ellipse(_ middle: SIMD2<Double>, _ radii: SIMD2<Double>) -> [PathReader.Step] {
    guard radii.x > 0, radii.y > 0 else { return [] }
    func at(_ x: Double, _ y: Double) -> SIMD2<Double> { middle + SIMD2(x, y) * radii }
    let r = reach
    return [
      .move(at(1, 0)), .curve(at(1, r), at(r, 1), at(0, 1)), .curve(at(-r, 1), at(-1, r), at(-1, 0)),
      .curve(at(-1, -r), at(-r, -1), at(0, -1)), .curve(at(r, -1), at(1, -r), at(1, 0)), .close,
    ]
  }

  private func rectangle(_ node: DrawingNode) throws(DocumentError) -> [PathReader.Step] {
    let (x, y) = (try length(node, "x"), try length(node, "y"))
    let (width, height) = (try length(node, "width"), try length(node, "height"))
    guard width > 0, height > 0 else { return [] }
    let wanted = (try length(node, "rx", or: -1), try length(node, "ry", or: -1))
    let rx = min(max(wanted.0 < 0 ? wanted.1 : wanted.0, 0), width / 2)
    let ry = min(max(wanted.1 < 0 ? wanted.0 : wanted.1, 0), height / 2)
    let (right, bottom) = (x + width, y + height)
    guard rx > 0, ry > 0 else {
      return [.move([x, y]), .line([right, y]), .line([right, bottom]), .line([x, bottom]), .close]
    }
    let (kx, ky) = (rx * (1 - Self.reach), ry * (1 - Self.reach))
    return [
      .move([x + rx, y]), .line([right - rx, y]), .curve([right - kx, y], [right, y + ky], [right, y + ry]),
      .line([right, bottom - ry]), .curve([right, bottom - ky], [right - kx, bottom], [right - rx, bottom]),
      .line([x + rx, bottom]), .curve([x + kx, bottom], [x, bottom - ky], [x, bottom - ry]),
      .line([x, y + ry]), .curve([x, y + ky], [x + kx, y], [x + rx, y]), .close,
    ]
  }

  // MARK: - Operators

  private mutating func paint(_ steps: [PathReader.Step], _ style: DrawingStyle, isLine: Bool) throws(DocumentError) {
    guard !steps.isEmpty else { return }
    let fill = isLine ? nil : color(style.fill, style)
    let stroke = style.width > 0 ? color(style.stroke, style) : nil
    guard fill != nil || stroke != nil else { return }
    try keep()
    if let fill {
      add("\(fill.words) rg\n")
      use(.fill(style.seenFill))
    }
    if let stroke {
      add("\(stroke.words) RG \(number(style.width)) w \(style.cap) J \(style.join) j \(number(style.miter)) M\n")
      if !style.dashes.isEmpty {
        add("[\(style.dashes.map(number).joined(separator: " "))] \(number(style.dashOffset)) d\n")
      }
      use(.stroke(style.seenStroke))
    }
    try write(steps)
    let star = style.isEvenOdd ? "*" : ""
    add(fill == nil ? "S\n" : stroke == nil ? "f\(star)\n" : "B\(star)\n")
    restore()
  }

  private func color(_ paint: DrawingStyle.Paint, _ style: DrawingStyle) -> RGB? {
    switch paint {
    case .none: nil
    case .current: style.color
    case .color(let color): color
    }
  }

  private mutating func use(_ opacity: VectorPicture.Opacity) {
    guard opacity.thousandths < 1000 else { return }
    opacities.insert(opacity)
    add("/\(opacity.name) gs\n")
  }

  private mutating func write(_ steps: [PathReader.Step]) throws(DocumentError) {
    for (number, step) in steps.enumerated() {
      if number % 1024 == 1023 { try budget.wrote(operators.count) }
      switch step {
      case .move(let point): add("\(words(point)) m\n")
      case .line(let point): add("\(words(point)) l\n")
      case .curve(let first, let second, let end): add("\(words(first)) \(words(second)) \(words(end)) c\n")
      case .close: add("h\n")
      }
    }
  }

  private mutating func change(_ text: String) throws(DocumentError) {
    guard let list = DrawingTransform.read(text) else {
      throw fault("has the transform '\(text.shortened)', which is not known")
    }
    for one in list { change(one) }
  }

  private mutating func change(_ transform: DrawingTransform) {
    add("\(transform.values.map { Decimals.text($0, 8) }.joined(separator: " ")) cm\n")
  }

  private mutating func keep() throws(DocumentError) {
    guard kept < Self.mostKept else {
      throw fault("has shapes inside of more than \(Self.mostKept - 2) groups that are moved or clipped")
    }
    kept += 1
    add("q\n")
  }

  private mutating func restore() {
    kept -= 1
    add("Q\n")
  }

  private func words(_ point: SIMD2<Double>) -> String { "\(number(point.x)) \(number(point.y))" }

  private func number(_ value: Double) -> String { Decimals.text(value, 5) }

  private mutating func add(_ text: String) { operators += text.utf8 }
}

/// Numbers with a given number of decimals, without trailing zeros.
private enum Decimals {
  static func text(_ value: Double, _ places: Int) -> String {
    var factor = 1
    for _ in 0..<places { factor *= 10 }
    // Far outside any page, but not an infinity.
    let limited = value.isNaN ? 0 : min(max(value, -1e9), 1e9)
    let units = Int((limited * Double(factor)).rounded())
    let size = Int(units.magnitude)
    let sign = units < 0 ? "-" : ""
    guard size % factor > 0 else { return "\(sign)\(size / factor)" }
    var digits = String(String(size % factor + factor).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(size / factor).\(digits)"
  }
}
