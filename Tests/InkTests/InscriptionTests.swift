import Base
import Ink
import InkSamples
import Pictures
import Testing
import Typesetting

/// Words below ink: part of what is stored, and drawn in every format.
@Suite struct InscriptionTests {
  private static let words = Inscription(
    name: "Zoë Müller-Иванова", date: "2026-03-01 09:30:00 UTC+01:00", reason: "أوافق على المشاركة")

  private func ink(_ words: Inscription = words) throws -> Ink {
    let plain = SampleSignature.reference.ink
    return try Ink(
      validating: plain.strokes, canvas: Canvas(width: 600, height: 200), device: "pen", inscription: words)
  }

  private func letters(_ ink: Ink) throws -> Letters {
    let canvas = try #require(ink.canvas)
    let words = try Typesetter().words(ink.inscription, below: canvas)
    return try #require(words).letters
  }

  @Test("words are stored with the strokes and change their hash; strokes without words keep their form")
  func stored() throws {
    let inscribed = try ink(), plain = try ink(.none)
    let blob = StrokeBlob(inscribed)
    #expect(try StrokeBlob.read(blob.bytes) == inscribed)
    #expect(try StoredSignature.read(blob.bytes).inscription == Self.words)
    #expect(blob.bytes.starts(with: Array("INK\u{2}".utf8)))
    #expect(StrokeBlob(plain).bytes.starts(with: Array("INK\u{1}".utf8)))
    for ink in [inscribed, plain] {
      #expect(InkFormat(detecting: StrokeBlob(ink).bytes) == .blob)
      #expect(try Ink.read(StrokeBlob(ink).bytes) == ink)
    }
    var hashes: Set<Digest> = [blob.hash, StrokeBlob(plain).hash]
    var other = Self.words
    other.reason = "No"
    hashes.insert(StrokeBlob(try ink(other)).hash)
    #expect(hashes.count == 3)
    // Words that are all empty are the other form: one signature has one hash.
    var empty = StrokeBlob(plain).bytes
    empty[3] = 2
    empty.insert(contentsOf: [0, 0, 0], at: 16)
    #expect(throws: InkError.self) { try StrokeBlob.read(empty) }
  }

  @Test("words are drawn below the canvas in PNG, SVG, PDF, JPEG, WebP and as a path")
  func drawn() throws {
    let inscribed = try ink()
    let letters = try letters(inscribed)
    let plain = try renderer.render(inscribed, options { $0.format = .png(.eight) })
    let picture = try renderer.render(inscribed, options { $0.format = .png(.eight) }, words: letters)
    #expect((plain.width, plain.height) == (600, 200) && (picture.width, picture.height) == (600, 293))
    let pixels = try DecodedPNG(picture.bytes).ink()
    let unwritten = try DecodedPNG(plain.bytes).ink()
    #expect(Array(pixels[..<(600 * 200)]) == unwritten, "the ink itself stays as it was")
    for line in 0..<3 {
      let top = 200 + Int(Double(line) * 200 / 7)
      #expect(pixels[(600 * top)..<(600 * (top + 28))].contains { $0 > 200 }, "line \(line)")
    }
    // Arabic begins at the right.
    let last = pixels[(600 * 258)..<(600 * 286)].enumerated().filter { $0.element > 128 }.map { $0.offset % 600 }
    #expect(last.min() ?? 0 > 300)
    for format in [PictureFormat.svg, .pdf] {
      let without = try renderer.render(inscribed, options { $0.format = format })
      let with = try renderer.render(inscribed, options { $0.format = format }, words: letters)
      #expect(with.height == 293 && with.bytes.count > without.bytes.count + 2000, "\(format)")
    }
    let path = try renderer.path(inscribed, options { _ in }, words: letters)
    let bare = try renderer.path(inscribed)
    #expect(path.height == 293 && path.operators.count > bare.operators.count + 2000)
    let webp = try WebP.decode(
      try renderer.render(inscribed, options { $0.format = .webp }, words: letters).bytes, limit: 1 << 20)
    #expect((0..<600 * 293).allSatisfy { Int(webp.rgba[$0 * 4]) == 255 - pixels[$0] }, "the same pixels as the PNG")
    let jpeg = try JPEG.decode(
      try renderer.render(inscribed, options { $0.format = .jpeg(quality: 95) }, words: letters).bytes, limit: 1 << 20)
    let differences = (0..<600 * 293).map { abs(Int(jpeg.rgba[$0 * 4]) - 255 + pixels[$0]) }
    #expect((jpeg.width, jpeg.height) == (600, 293) && differences.reduce(0, +) < 600 * 293 * 2)
  }

  @Test("no eraser reaches the words, and a cropped picture shows all of them")
  func erasedAndCropped() throws {
    let across = try Ink(
      validating: [
        stroke([(100, 100), (500, 100)]),
        Stroke(
          points: stroke([(0, 215), (599, 215), (599, 190)]).points, pen: Pen(maximumRadius: 40, erases: true)),
      ], canvas: Canvas(width: 600, height: 200), inscription: Inscription(name: "Ada Lovelace"))
    let letters = try letters(across)
    let picture = try renderer.render(across, options { $0.format = .png(.eight) }, words: letters)
    let pixels = try DecodedPNG(picture.bytes).ink()
    #expect(pixels[(600 * 201)...].contains { $0 > 200 })
    let cropped = try renderer.render(across, options { $0.frame = .trimmed(margin: 2) }, words: letters)
    #expect(cropped.height > 110 && cropped.width > 400 && cropped.width < 560)
  }

  @Test("words need a canvas, one line each, and a bounded length")
  func refused() throws {
    let strokes = SampleSignature.reference.ink.strokes
    #expect(throws: InkError.self) { try Ink(validating: strokes, inscription: Self.words) }
    for name in [String(repeating: "x", count: 1601), "a\nb"] {
      #expect(throws: InkError.self) { try ink(Inscription(name: name)) }
    }
    let error = #expect(throws: TypesettingError.self) {
      try Typesetter().words(Inscription(reason: "𓀀"), below: Canvas(width: 600, height: 200))
    }
    #expect(error?.reason == .unknownLetter)
  }

  @Test("a JPEG has paper and a quality, and its name depends on the latter")
  func jpegSettings() throws {
    let ink = try ink(.none)
    for wrong in [
      options { $0.format = .jpeg(quality: 0) }, options { ($0.format, $0.paper) = (.jpeg(quality: 90), nil) },
    ] {
      #expect(throws: InkError.self) { try renderer.render(ink, wrong) }
    }
    let hash = StrokeBlob(ink).hash
    let keys = [80, 90].map { quality in Renderer.key(strokes: hash, options { $0.format = .jpeg(quality: quality) }) }
    #expect(Set(keys + [Renderer.key(strokes: hash, options { $0.format = .webp })]).count == 3)
    let clear = try WebP.decode(
      try renderer.render(ink, options { ($0.format, $0.paper) = (.webp, nil) }).bytes, limit: 1 << 20)
    #expect(clear.rgba[3] == 0 && stride(from: 3, to: clear.rgba.count, by: 4).contains { clear.rgba[$0] == 255 })
  }
}
