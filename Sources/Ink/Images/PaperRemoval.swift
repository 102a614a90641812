internal import Pictures

/// Computes the darkness of an image of a signature: 0 is paper, 255 is black. It uses integers only, so that every
/// machine finds the same ink.
struct PaperRemoval {
  private(set) var width: Int
  private(set) var height: Int
  private(set) var darkness: [UInt8]
  /// The least darkness that counts as ink.
  let threshold: UInt8
  /// Whether it is the inside of a sheet that lay on something, so that nothing reaches its sides.
  let isSheet: Bool

  /// The most pixels across. Larger images are scaled down first, since a signature has no more detail.
  private static let mostPixelsAcross = 1600
  /// The side of the window in which paper is looked for, as a part of the image's larger side, and at least in pixels:
  /// wider than any line of a pen.
  private static let windowPart = 10
  private static let leastWindow = 32
  /// By how much ink must be darker than paper, of 255.
  private static let leastContrast = 32
  /// The most ink, in hundredths of the image: more is not a signature on plain paper.
  private static let mostInk = 35

  init(_ image: Bitmap) throws(InkError) {
    let step = (max(image.width, image.height) - 1) / Self.mostPixelsAcross + 1
    (width, height) = ((image.width - 1) / step + 1, (image.height - 1) / step + 1)
    var light = Plane(Self.brightness(of: image, width: width, height: height, step: step), width: width)
    let sheet = try Sheet(in: light)
    isSheet = sheet != nil
    if let sheet {
      light = sheet.straightened(light, atMost: Self.mostPixelsAcross)
      (width, height) = (light.width, light.height)
    }
    let reach = max(max(width, height) / Self.windowPart, Self.leastWindow) / 2
    // Whatever is narrower than the window and darker than what is around it is ink. Everything else is paper: yellow,
    // or in a shadow, however dark and with however sharp an edge.
    let smooth = light.smoothed()
    let paper = smooth.closed(by: reach)
    darkness = zip(light.values, paper.values).map { value, paper in
      UInt8((Int(paper) - Int(min(value, paper))) * 255 / max(Int(paper), 1))
    }
    var counts = [Int](repeating: 0, count: 256)
    for value in darkness { counts[Int(value)] += 1 }
    let split = Self.split(counts)
    threshold = UInt8(split.threshold)
    guard split.contrast >= Self.leastContrast else { throw Self.noInk }
    removeTips(of: smooth, on: paper, reach)
    let ink = darkness.count { $0 >= threshold }
    guard ink > 0 else { throw Self.noInk }
    guard ink * 100 <= Self.mostInk * width * height else {
      throw Self.refusal(
        "is dark in more than \(Self.mostInk) of 100 parts", "an image shows a signature on plain paper, nothing else")
    }
  }

  static let noInk = refusal("shows no ink", "an image has dark ink on plain bright paper or on none")

  static func refusal(_ finding: String, _ requirement: String) -> InkError {
    InkError(path: "content", finding: finding, requirement: requirement)
  }

  /// The mean brightness of each block of pixels. Transparent ones count as on white paper.
  private static func brightness(of image: Bitmap, width: Int, height: Int, step: Int) -> [UInt8] {
    var means: [UInt8] = []
    means.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        var sum = 0, count = 0
        for y in row * step..<min((row + 1) * step, image.height) {
          for x in column * step..<min((column + 1) * step, image.width) {
            let place = (y * image.width + x) * 4
            let value =
              Int(image.rgba[place]) * 299 + Int(image.rgba[place + 1]) * 587 + Int(image.rgba[place + 2]) * 114
            let alpha = Int(image.rgba[place + 3])
            sum += (value / 1000 * alpha + 255 * (255 - alpha)) / 255
            count += 1
          }
        }
        means.append(UInt8(sum / count))
      }
    }
    return means
  }

  /// Removes the narrow ends of shadows, which fit into the window as ink does: they are as bright as paper in the
  /// shadow nearby, and thicker somewhere than a line of pale ink.
  private mutating func removeTips(of light: Plane, on paper: Plane, _ reach: Int) {
    let shaded = paper.least(within: 4 * reach)
    let isPale = darkness.indices.map { place in
      darkness[place] >= threshold && Int(light.values[place]) * 100 >= Int(shaded.values[place]) * 85
    }
    let pale = Plane(isPale.map { $0 ? 255 : 0 }, width: width)
    let thickness = max(2, max(width, height) / 200)
    let thick = pale.least(within: thickness).greatest(within: thickness)
    var pending = darkness.indices.filter { thick.values[$0] > 0 && isPale[$0] }
    for place in pending { darkness[place] = 0 }
    while let place = pending.popLast() {
      let (row, column) = (place / width, place % width)
      for y in max(0, row - 1)...min(height - 1, row + 1) {
        for x in max(0, column - 1)...min(width - 1, column + 1) where isPale[y * width + x] {
          guard darkness[y * width + x] > 0 else { continue }
          darkness[y * width + x] = 0
          pending.append(y * width + x)
        }
      }
    }
  }

  /// The threshold that best separates paper from ink (Otsu), and the difference of their means.
  private static func split(_ counts: [Int]) -> (threshold: Int, contrast: Int) {
    let total = counts.reduce(0, +)
    let sum = counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
    var below = 0, sumBelow = 0, best = -1, threshold = 255, contrast = 0
    for level in 1..<256 {
      below += counts[level - 1]
      sumBelow += (level - 1) * counts[level - 1]
      guard below > 0, below < total else { continue }
      let apart = (sum - sumBelow) / (total - below) - sumBelow / below
      // In thousandths, so that no product of three large numbers overflows.
      let variance = (below * 1000 / total) * ((total - below) * 1000 / total) * apart * apart
      if variance > best { (best, threshold, contrast) = (variance, level, apart) }
    }
    return (threshold, contrast)
  }
}
