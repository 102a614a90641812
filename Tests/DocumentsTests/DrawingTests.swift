import ArchiveKit
import Base
import Documents
import PDF
import Testing

/// Drawings in SVG, as shapes of a page.
@Suite struct DrawingTests {
  private func compose(_ svg: String) throws -> [UInt8] {
    // Nothing stands above it on the page.
    var paper = try SamplePaper.paper(separate: "<img src=\"asset:abc\" alt=\"A drawing\">")
    var allowance = DrawingAllowance()
    paper.drawings["abc"] = try VectorPicture(svg: Array(svg.utf8), named: "abc", within: &allowance)
    return try SamplePaper.compose(paper)
  }

  private static let head =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 160\" width=\"300\" height=\"300\">"

  /// What shows every kind of shape.
  static let shapes = """
    <defs><g id="part"><rect x="0" y="0" width="12" height="8" rx="2"/></g><symbol id="sign" viewBox="0 0 10 10">\
    <circle cx="5" cy="5" r="4"/></symbol><clipPath id="cut"><circle cx="40" cy="120" r="20"/></clipPath></defs>\
    <g fill="none" stroke="#064" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">\
    <path d="M40 56V28a6 6 0 0 1 6-6h28a6 6 0 0 1 6 6v28" fill="#064" fill-opacity="0.15"/>\
    <path d="M90 20q10-18 20 0t20 0M90 40c5-9 15-9 20 0s15 9 20 0" stroke-dasharray="6 5"/></g>\
    <ellipse cx="120" cy="70" rx="26" ry="12" fill="rgb(200,30,30)" opacity=".5" transform="rotate(20 120 70)"/>\
    <polygon points="10,70 30,70 20,90"/><polyline points="36 70 46 90 56 70" fill="none" stroke="navy"/>\
    <line x1="60" y1="70" x2="80" y2="90" stroke="orange" stroke-width="3"/>\
    <use href="#part" x="60" y="100" fill="teal"/><use href="#sign" x="80" y="98" width="20" height="20" color="red" fill="currentColor"/>\
    <rect x="0" y="100" width="80" height="40" fill="#88a" clip-path="url(#cut)"/>\
    <path fill-rule="evenodd" d="M110 110h40v40h-40zM120 120h20v20h-20z"/>
    """

  @Test(
    "numbers that are none, or next to nothing, are refused or drawn as nothing",
    arguments: [
      ("<path d=\"M0 0A1e-200 1e-200 0 0 0 5 5\"/>", true), ("<path d=\"M0 0a5 5 0 0 0 1e-320 0\"/>", true),
      ("<rect width=\"9\" height=\"9\" fill=\"rgb(nan,0,0)\"/>", false),
      ("<rect width=\"9\" height=\"9\" fill=\"rgb(inf,0,0)\"/>", false),
      ("<symbol id=\"s\" viewBox=\"0 0 1e-300 1e-300\"/><use href=\"#s\" width=\"9\" height=\"9\"/>", false),
    ])
  func strangeNumbers(shape: String, isDrawn: Bool) {
    var allowance = DrawingAllowance()
    let drawn = try? VectorPicture(svg: Array((Self.head + shape + "</svg>").utf8), named: "abc", within: &allowance)
    #expect((drawn != nil) == isDrawn)
  }

  @Test("shapes are painted as another program paints them")
  func painted() async throws {
    let svg = Self.head + Self.shapes + "</svg>"
    let bytes = try compose(svg)
    #expect(try ArchiveRules.faults(bytes) == [])
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("in.pdf"))
    try Files.write(Array(svg.utf8), to: folder.file("in.svg"))
    // At 96 dots an inch the drawing has its own size, and the margin of 45 points is 60 pixels wide.
    _ = try await Tool.run(
      "pdftoppm",
      [
        "-r", "96", "-l", "1", "-x", "60", "-y", "60", "-W", "300", "-H", "300", "-png", folder.file("in.pdf"),
        folder.file("page"),
      ])
    _ = try await Tool.run("rsvg-convert", ["-b", "white", "-o", folder.file("peer.png"), folder.file("in.svg")])
    let page = try #require(PDFPixels(try Files.read(folder.file("page-1.png"))))
    let peer = try #require(PDFPixels(try Files.read(folder.file("peer.png"))))
    #expect(peer.width == 300 && peer.height == 300)
    // Edges are smoothed by different rules.
    let difference = page.difference(from: peer)
    #expect(difference < 2, "\(difference) of 255 for each colour of each pixel")
  }

  private func operators(_ inner: String) throws -> String {
    var allowance = DrawingAllowance()
    let svg = Array((Self.head + inner + "</svg>").utf8)
    return String(decoding: try VectorPicture(svg: svg, named: "abc", within: &allowance).operators, as: UTF8.self)
  }

  @Test(
    "a shape's own opacity of fill and line takes the place of an inherited one; its opacity counts besides",
    arguments: [
      ("fill-opacity=\".5\"", "fill-opacity=\".5\"", ["F500"]), ("fill-opacity=\".5\"", "", ["F500"]),
      ("fill-opacity=\".5\"", "fill-opacity=\"1\"", []), ("fill-opacity=\".5\"", "opacity=\".5\"", ["F250", "S500"]),
      ("stroke-opacity=\".4\"", "opacity=\".5\" stroke-opacity=\".2\"", ["F500", "S100"]),
    ])
  func opacities(group: String, shape: String, names: [String]) throws {
    let written = try operators(
      "<g stroke=\"red\" \(group)><rect width=\"9\" height=\"9\" \(shape)/><rect width=\"9\" height=\"9\"/></g>")
    let first = try #require(written.split(separator: "\nB\n").first)
    let found = first.split(separator: "\n").filter { $0.hasSuffix(" gs") }.map { String($0.dropFirst().dropLast(3)) }
    #expect(found == names, "\(written)")
  }

  @Test("dashes on a path that says how long it is are refused, in whichever order attributes are read")
  func pathLength() throws {
    for _ in 0..<8 {
      let error = #expect(throws: DocumentError.self) {
        try operators(
          "<path d=\"M0 0h9\" stroke=\"red\" pathLength=\"3\" stroke-dasharray=\"1 1\" stroke-width=\"2\"/>")
      }
      #expect(error?.description.contains("pathlength") == true, "\(error?.description ?? "")")
    }
    #expect(throws: Never.self) { try operators("<path d=\"M0 0h9\" stroke=\"red\" pathLength=\"3\"/>") }
  }

  @Test("groups that are moved stand in each other only as deep as PDF/A keeps states", arguments: [25, 26])
  func nested(depth: Int) throws {
    let inner =
      String(repeating: "<g transform=\"scale(1)\"><g>", count: depth) + "<path d=\"M0 0h9v9z\"/>"
      + String(repeating: "</g></g>", count: depth)
    guard depth <= 25 else {
      let error = #expect(throws: DocumentError.self) { try operators(inner) }
      #expect(error?.description.contains("inside of more than 25 groups that are moved") == true)
      return
    }
    var (open, deepest) = (0, 0)
    for word in try operators(inner).split(whereSeparator: { $0 == "\n" || $0 == " " }) {
      if word == "q" { open += 1 } else if word == "Q" { open -= 1 }
      deepest = max(deepest, open)
    }
    // The page keeps one more around the drawing.
    #expect(open == 0 && deepest == 27)
  }

  @Test("words in capitals say the same, so that nothing is shown here that browsers hide, or the other way around")
  func capitals() throws {
    let shape = "<path d=\"M0 0h9v9z\"></path>"
    #expect(try operators(shape) != operators(""))
    for hidden in ["display=\"NONE\"", "visibility=\"Hidden\"", "visibility=\"collapse\""] {
      #expect(try operators("<g \(hidden)>\(shape)</g>") == operators(""), "\(hidden)")
    }
    #expect(try operators("<g visibility=\"VISIBLE\">\(shape)</g>") == operators(shape))
  }

  @Test("what a page would show differently is refused by its name")
  func refused() throws {
    for (inner, words) in [
      ("<text x=\"1\" y=\"2\">a</text>", "has <text>"), ("<mask id=\"m\"></mask>", "has <mask>"),
      ("<rect width=\"5\" height=\"5\" fill=\"url(#g)\"></rect>", "a gradient"),
      ("<rect width=\"5\" height=\"5\" fill=\"chartreuse-ish\"></rect>", "no known colour"),
      ("<g opacity=\"0.5\"><path d=\"M0 0h9\"></path></g>", "single shapes only"),
      ("<path d=\"L0 0\"></path>", "a path that cannot be read"), ("<path d=\"M0 0 1e9 9\"></path>", "cannot be read"),
      ("<path visibility=\"shown\" d=\"M0 0h9\"></path>", "which is not shown in documents"),
      ("<use href=\"#nothing\"></use>", "which is not in it"),
      ("<g id=\"a\"><use href=\"#a\"></use></g><use href=\"#a\"></use>", "more than 8 deep"),
      ("<rect width=\"5em\" height=\"5\"></rect>", "no length in pixels"),
      ("<path transform=\"spin(4)\" d=\"M0 0h9\"></path>", "which is not known"), ("<path", "drawing abc"),
    ] {
      let error = #expect(throws: DocumentError.self) { try compose("\(Self.head)\(inner)</svg>") }
      #expect(error?.description.contains(words) == true, "\(inner): \(error?.description ?? "")")
    }
    #expect(throws: DocumentError.self) { try compose("hello") }
  }
}

/// A picture's pixels.
struct PDFPixels {
  let width: Int
  let height: Int
  private let rgb: [UInt8]

  init?(_ png: [UInt8]) {
    guard let image = PDFImage(png: png), let pixels = image.pixels else { return nil }
    (width, height, rgb) = (image.width, image.height, pixels)
  }

  /// The mean difference of each colour of each pixel, of 255.
  func difference(from other: PDFPixels) -> Double {
    guard rgb.count == other.rgb.count else { return 255 }
    return Double(zip(rgb, other.rgb).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(rgb.count)
  }
}
