internal import Pictures

/// Coverage as colours, for formats without a palette from paper to ink.
struct ColoredPixels {
  private let width: Int
  private let height: Int
  /// Four bytes a pixel: red, green, blue, opacity.
  private var rgba: [UInt8] = []

  /// - Parameter coverage: rows with a filter byte and then a byte for each pixel.
  init(coverage: [UInt8], width: Int, height: Int, _ options: RenderOptions) {
    (self.width, self.height) = (width, height)
    let ramp = (0...255).map { Self.color($0, options) }
    rgba.reserveCapacity(width * height * 4)
    let rowBytes = coverage.count / height
    for row in 0..<height {
      let end = (row + 1) * rowBytes
      for place in end - width..<end { rgba += ramp[Int(coverage[place])] }
    }
  }

  private static func color(_ coverage: Int, _ options: RenderOptions) -> [UInt8] {
    let ink = [options.ink.red, options.ink.green, options.ink.blue]
    guard let paper = options.paper else { return ink + [UInt8(coverage)] }
    let ground = [paper.red, paper.green, paper.blue]
    return zip(ink, ground).map { UInt8((Int($0) * coverage + Int($1) * (255 - coverage) + 127) / 255) } + [255]
  }

  func file(_ options: RenderOptions) throws(InkError) -> [UInt8] {
    let image = Bitmap(width: width, height: height, rgba: rgba)
    let bytes =
      if case .jpeg(let quality) = options.format {
        JPEG.encode(image, quality: quality, dotsPerInch: options.dotsPerInch)
      } else {
        WebP.encode(image)
      }
    guard let bytes else {
      throw InkError(path: "picture", finding: "could not be encoded", requirement: "ask for another format")
    }
    return bytes
  }
}
