internal import Base
internal import Ink
internal import InkSamples

/// Draws the sample signatures in both looks at three sizes, for `scripts/contact-sheet` to lay out.
struct ContactSheet {
  let folder: String

  func draw() throws {
    try Files.makeFolder(folder)
    let renderer = Renderer()
    for (index, signature) in SampleSignature.all.enumerated() {
      for look in Look.allCases {
        for (size, width) in [("small", 150), ("middle", 300), ("large", 600)] {
          var options = RenderOptions()
          options.look = look
          options.format = .png(.eight)
          options.size = .pixels(width: width, height: width / 3)
          try Files.write(
            renderer.render(signature.ink, options).bytes, to: "\(folder)/\(index + 1)-\(look.rawValue)-\(size).png")
        }
      }
    }
  }
}
