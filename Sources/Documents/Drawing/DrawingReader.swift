/// An SVG as a tree of shapes. It was cleaned by the consent service's sanitiser.
struct DrawingNode {
  let element: String
  let attributes: [String: String]
  var children: [DrawingNode] = []

  /// The cost of drawing it once, in bytes of markup.
  var cost: Int { DrawingAllowance.node + attributeBytes }
  private let attributeBytes: Int

  private init(_ element: String, _ attributes: [String: String] = [:]) {
    (self.element, self.attributes) = (element, attributes)
    attributeBytes = attributes.values.reduce(0) { $0 + $1.utf8.count }
  }

  /// The root, and the elements that have an id.
  static func read(
    _ svg: String, place: String, _ patience: Patience
  ) throws(DocumentError) -> (root: DrawingNode, named: [String: DrawingNode]) {
    var open = [DrawingNode("")]
    var named: [String: DrawingNode] = [:]
    var count = 0
    for token in try MarkupReader.read(svg, place: place, isXML: true, patience) {
      switch token {
      case .text: break
      case .open(let element, let attributes):
        count += 1
        guard count <= mostElements else {
          throw .malformed(place: place, finding: "has more than \(mostElements) elements")
        }
        open.append(DrawingNode(element, attributes))
      case .close:
        guard let node = open.popLast() else { continue }
        if let id = node.attributes["id"] { named[id] = node }
        open[open.count - 1].children.append(node)
      }
    }
    guard let root = open[0].children.first(where: { $0.element == "svg" }) else {
      throw .malformed(place: place, finding: "is no drawing in SVG")
    }
    return (root, named)
  }

  private static let mostElements = 20_000
}
