internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples

/// Drawing signatures, against cairo, Skia, Pillow, resvg and CairoSVG.
@main struct InkBench {
  static func main() async throws {
    let options = Options()
    if let folder = options.text("contact-sheet") { return try ContactSheet(folder: folder).draw() }
    await Bench.run("ink", options) { bench in
      try checkGoldenPictures()
      let signatures = try Signatures()
      try await pictures(&bench, signatures)
      try await error(&bench, signatures)
      sizes(&bench, signatures)
      try await growth(&bench)
    }
  }

  /// The pictures have to be those of the tests, whose build is not optimised while this one is.
  private static func checkGoldenPictures() throws {
    guard GoldenPictures.isComparable else {
      return print("– pictures are not compared with the tests': \(Renderer.compressor)")
    }
    let digest = try GoldenPictures.digest()
    guard digest == GoldenPictures.expected else { throw OtherPictures(digest: digest) }
    print("✓ byte for byte the pictures of the tests")
  }

  /// The time of one 600 × 200 picture from stored strokes to a finished file.
  private static func pictures(_ bench: inout Bench, _ signatures: Signatures) async throws {
    let cairo = Peer.compiled("ink/cairo.c", flags: ["-lcairo", "-lm", "-I/usr/include/cairo"])
    let python = Peer.python("ink/pictures.py")
    for signature in signatures.all {
      let blob = StrokeBlob(signature.ink).bytes
      let id = signature.name == "reference" ? "png" : "png-\(signature.name)"
      await bench.compare(
        id, "600 × 200 PNG of \(signature.name), from stored strokes", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try picture(blob)) } },
        peers: [
          "cairo": { try await cairo.measure("png \(signature.name)") },
          "skia": { try await python.measure("skia \(signature.name)") },
          "pillow": { try await python.measure("pillow \(signature.name)") },
          "resvg": { try await python.measure("resvg \(signature.name)") },
          "cairosvg": { try await python.measure("cairosvg \(signature.name)") },
        ])
    }
    let blob = StrokeBlob(signatures.reference.ink).bytes
    await bench.measure("png/ink-1", "the same in the look ink-1", unit: .nanoseconds) {
      try nanosecondsPerOperation { blackHole(try picture(blob) { $0.look = .ink1 }) }
    }
    await bench.measure("svg/ours", "SVG of the reference", unit: .nanoseconds) {
      try nanosecondsPerOperation { blackHole(try picture(blob) { $0.format = .svg }) }
    }
  }

  /// How far pictures are from 8 × 8 samples in each pixel of the pad's lines, over all pixels with ink, in steps of
  /// 255; and how far from the pad's own circles, drawn by Chromium at 16 times the size.
  private static func error(_ bench: inout Bench, _ signatures: Signatures) async throws {
    let cairo = Peer.compiled("ink/cairo.c", flags: ["-lcairo", "-lm", "-I/usr/include/cairo"])
    let pad = Peer.python("ink/pad.py")
    let step = Unit("/255", lessIsBetter: true)
    for signature in signatures.all {
      for (what, name) in [("rms", "root mean square error"), ("most", "greatest error")] {
        bench.report(
          "\(what)-\(signature.name)/cairo", "\(name) of \(signature.name)", unit: step,
          value: try await cairo.measure("\(what) \(signature.name) \(signature.name).png"), peer: "cairo",
          peerValue: try await cairo.measure("\(what) \(signature.name)"))
      }
      let picture = "\(signature.name)-cairo.png"
      _ = try await cairo.measure("write \(signature.name) \(picture)")
      for (what, name) in [("rms", "root mean square"), ("most", "greatest")] {
        bench.report(
          "pad-\(what)-\(signature.name)/cairo", "\(name) error of \(signature.name) against the pad", unit: step,
          value: try await pad.measure("\(what) \(signature.name) \(signature.name).png"), peer: "cairo",
          peerValue: try await pad.measure("\(what) \(signature.name) \(picture)"))
      }
    }
  }

  private static func sizes(_ bench: inout Bench, _ signatures: Signatures) {
    let ink = signatures.reference.ink
    bench.report(
      "bytes/blob", "stored strokes, against their JSON", unit: .bytes, value: Double(StrokeBlob(ink).bytes.count),
      peer: "signature_pad JSON", peerValue: Double(ink.signaturePadJSON().count))
    bench.report("bytes/png", "grey 4-bit PNG", unit: .bytes, value: Double(signatures.png(ink).count))
    bench.report("bytes/svg", "SVG", unit: .bytes, value: Double(signatures.svg(ink).count))
  }

  /// Cost by the number of points and by the inked area.
  private static func growth(_ bench: inout Bench) async throws {
    for points in [40, 400, 4_000, 40_000, 100_000] {
      let blob = StrokeBlob(Scribble.ink(points: points)).bytes
      await bench.measure("points/\(points)", "600 × 200 of \(points) points, for each point", unit: .nanoseconds) {
        try nanosecondsPerOperation { blackHole(try picture(blob)) } / Double(points)
      }
    }
    for (width, height) in [(300, 100), (600, 200), (1200, 400), (2400, 800), (4096, 4096)] {
      let blob = StrokeBlob(Scribble.page(width: width, height: height)).bytes
      await bench.measure(
        "area/\(width)x\(height)", "\(width) × \(height) with ink everywhere, for each pixel", unit: .nanoseconds
      ) {
        try nanosecondsPerOperation { blackHole(try picture(blob)) } / Double(width * height)
      }
    }
  }

  private static let renderer = Renderer()

  private static func picture(_ blob: [UInt8], _ change: (inout RenderOptions) -> Void = { _ in }) throws -> Picture {
    var options = RenderOptions()
    change(&options)
    return try renderer.render(StrokeBlob.read(blob), options)
  }
}

private struct OtherPictures: Error, CustomStringConvertible {
  let digest: String
  var description: String { "this build draws other pictures than the tests' golden ones: \(digest)" }
}
