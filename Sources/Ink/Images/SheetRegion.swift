/// The largest bright part of a picture that is not at its rim, or runs over it: what may be a sheet of paper.
struct SheetRegion {
  /// How many pixels it has, with whatever dark is inside.
  private(set) var area = 0
  /// The pixels of it that are beside others.
  private(set) var outline: [Int] = []
  /// Whether it goes on beyond the picture.
  private(set) var isCutOff = false

  /// - Parameter level: what is brighter is no desk. Darker things on the sheet, which do not reach the rim, are of it.
  init(in ground: Plane, above level: Int) {
    let size = ground.values.count
    // Which part a pixel belongs to; 0: none yet.
    var parts = [Int32](repeating: 0, count: size)
    /// Gives a number to all pixels of a kind that can be reached from one.
    func fill(from start: Int, as part: Int32, _ belongs: (Int) -> Bool) -> Int {
      guard parts[start] == 0, belongs(start) else { return 0 }
      var (pending, count) = ([start], 0)
      parts[start] = part
      while let place = pending.popLast() {
        count += 1
        for next in ground.neighbours(of: place) where parts[next] == 0 && belongs(next) {
          parts[next] = part
          pending.append(next)
        }
      }
      return count
    }
    for place in ground.rim { _ = fill(from: place, as: 1) { Int(ground.values[$0]) <= level } }
    var (largest, number): (Int32, Int32) = (0, 1)
    for place in 0..<size {
      let count = fill(from: place, as: number + 1) { _ in true }
      if count > 0 { number += 1 }
      if count > area { (area, largest) = (count, number) }
    }
    guard largest > 0 else { return }
    isCutOff = ground.rim.contains { parts[$0] == largest }
    outline = (0..<size).filter { place in
      parts[place] == largest && ground.neighbours(of: place).contains { parts[$0] != largest }
    }
  }

  /// Whether it has an edge nearly all around, and does not only become darker little by little.
  func isEdged(_ ground: Plane, within reach: Int, by hundredths: Int) -> Bool {
    let (brightest, darkest) = (ground.greatest(within: reach), ground.least(within: reach))
    let sharp = outline.count { place in
      let bright = Int(brightest.values[place])
      return (bright - Int(darkest.values[place])) * 100 >= bright * hundredths
    }
    return !outline.isEmpty && sharp * 100 >= outline.count * 85
  }

  /// Whether it has the shape of its hull, and that the shape of a quadrilateral. Both areas are between the middles of
  /// the outermost pixels.
  func fills(_ hull: Double, _ quadrilateral: Double) -> Bool {
    let inner = Double(area) - Double(outline.count) / 2
    return inner >= hull * 0.94 && hull <= quadrilateral * 1.06
  }
}

extension Plane {
  /// The outermost pixels.
  var rim: [Int] {
    let rows = (0..<height).flatMap { [$0 * width, $0 * width + width - 1] }
    return rows + (1..<max(1, width - 1)).flatMap { [$0, (height - 1) * width + $0] }
  }

  /// The pixels above, below and beside.
  fileprivate func neighbours(of place: Int) -> [Int] {
    let column = place % width
    var beside: [Int] = []
    if column > 0 { beside.append(place - 1) }
    if column < width - 1 { beside.append(place + 1) }
    if place >= width { beside.append(place - width) }
    if place < values.count - width { beside.append(place + width) }
    return beside
  }
}
