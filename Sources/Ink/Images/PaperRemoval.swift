internal import Pictures

/// Computes the darkness of an image of a signature: 0 is paper, 255 is black. It uses integers only, so that every
/// machine finds the same ink.
struct PaperRemoval {
  private(set) var width: Int
  private(set) var height: Int
  private(set) var darkness: [UInt8]
  /// The least darkness that counts as ink.
  let threshold: UInt8

  /// The most pixels across. Larger images are scaled down first, since a signature has no more detail.
  private static let mostPixelsAcross = 1600
  private static let tile = 32
  /// The least brightness of shaded paper, in hundredths of the brightest paper.
  private static let leastPaper = 60
  /// By how much ink must be darker than paper, of 255.
  private static let leastContrast = 40
  /// The most ink, in hundredths of the image: more is not a signature on plain paper.
  private static let mostInk = 35

  init(_ image: Bitmap) throws(InkError) {
    let step = (max(image.width, image.height) - 1) / Self.mostPixelsAcross + 1
    (width, height) = ((image.width - 1) / step + 1, (image.height - 1) / step + 1)
    darkness = Self.brightness(of: image, width: width, height: height, step: step)
    Self.removePaper(from: &darkness, width: width, height: height)
    var counts = [Int](repeating: 0, count: 256)
    for value in darkness { counts[Int(value)] += 1 }
    let split = Self.split(counts)
    let ink = counts[split.threshold...].reduce(0, +)
    guard split.contrast >= Self.leastContrast, ink > 0 else {
      throw Self.refusal("shows no ink", "an image has dark ink on plain bright paper or on none")
    }
    guard ink * 100 <= Self.mostInk * width * height else {
      throw Self.refusal(
        "is dark in more than \(Self.mostInk) of 100 parts", "an image shows a signature on plain paper, nothing else")
    }
    threshold = UInt8(split.threshold)
  }

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

  /// Turns brightness into darkness relative to the paper around: the brightest fifth of each tile and its neighbours,
  /// so that shadows and yellow paper count as paper. If ink fills a tile and all its neighbours, the whole image's
  /// paper tells that it is ink.
  private static func removePaper(from pixels: inout [UInt8], width: Int, height: Int) {
    let across = (width - 1) / tile + 1, down = (height - 1) / tile + 1
    let papers = (0..<down * across).map { number in
      let (top, left) = (number / across * tile, number % across * tile)
      return paper(pixels, width, left..<min(left + tile, width), top..<min(top + tile, height))
    }
    let least = (papers.max() ?? 255) * leastPaper / 100
    let around = (0..<down * across).map { number in
      let (row, column) = (number / across, number % across)
      var level = max(least, 1)
      for y in max(0, row - 1)...min(down - 1, row + 1) {
        for x in max(0, column - 1)...min(across - 1, column + 1) { level = max(level, papers[y * across + x]) }
      }
      return level
    }
    for y in 0..<height {
      for x in 0..<width {
        let paper = around[y / tile * across + x / tile]
        let value = min(Int(pixels[y * width + x]), paper)
        pixels[y * width + x] = UInt8((paper - value) * 255 / paper)
      }
    }
  }

  /// The brightness that the brightest fifth of the pixels reaches.
  private static func paper(_ pixels: [UInt8], _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Int {
    var counts = [Int](repeating: 0, count: 256)
    for y in rows {
      for x in columns { counts[Int(pixels[y * width + x])] += 1 }
    }
    var above = 0, level = 255
    while level > 0, above + counts[level] <= columns.count * rows.count / 5 {
      above += counts[level]
      level -= 1
    }
    return level
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
