/// One value for each pixel of an image, and what filters make of it.
struct Plane {
  let values: [UInt8]
  let width: Int
  let height: Int

  init(_ values: [UInt8], width: Int) {
    (self.values, self.width, height) = (values, width, values.count / width)
  }

  /// The greatest value in the square around each pixel.
  func greatest(within reach: Int) -> Plane {
    var result = values
    var window = Window(reach: reach)
    for row in 0..<height { window.run(over: &result, from: row * width, step: 1, count: width) }
    for column in 0..<width { window.run(over: &result, from: column, step: width, count: height) }
    return Plane(result, width: width)
  }

  func least(within reach: Int) -> Plane {
    complement.greatest(within: reach).complement
  }

  /// Without everything dark that is narrower than the window.
  func closed(by reach: Int) -> Plane {
    greatest(within: reach).least(within: reach)
  }

  /// The mean of each pixel and those beside it, without most of a camera's noise.
  func smoothed() -> Plane {
    let rows = means(step: 1) {
      $0 % width > 0
    } after: {
      $0 % width < width - 1
    }
    return rows.means(step: width) {
      $0 >= width
    } after: {
      $0 < values.count - width
    }
  }

  private func means(step: Int, before: (Int) -> Bool, after: (Int) -> Bool) -> Plane {
    let means = values.indices.map { place in
      let here = Int(values[place])
      let one = before(place) ? Int(values[place - step]) : here,
        other = after(place) ? Int(values[place + step]) : here
      return UInt8((one + here + other) / 3)
    }
    return Plane(means, width: width)
  }

  private var complement: Plane { Plane(values.map { ~$0 }, width: width) }
}

/// The greatest value in a window that moves along a line, in a time that does not depend on the window's size: every
/// window is the end of one block and the beginning of the next.
private struct Window {
  private let reach: Int
  private var fromStart: [UInt8] = []
  private var toEnd: [UInt8] = []

  init(reach: Int) {
    self.reach = reach
  }

  mutating func run(over values: inout [UInt8], from start: Int, step: Int, count: Int) {
    let size = 2 * reach + 1
    let blocks = (count + 2 * reach - 1) / size + 1
    if fromStart.count != blocks * size {
      fromStart = Array(repeating: 0, count: blocks * size)
      toEnd = fromStart
    }
    // Zeros stand for what is outside of the image.
    for place in 0..<fromStart.count {
      let index = place - reach
      let value = index >= 0 && index < count ? values[start + index * step] : 0
      fromStart[place] = place % size == 0 ? value : max(fromStart[place - 1], value)
      toEnd[place] = value
    }
    for place in stride(from: toEnd.count - 2, through: 0, by: -1) where place % size != size - 1 {
      toEnd[place] = max(toEnd[place], toEnd[place + 1])
    }
    for index in 0..<count { values[start + index * step] = max(toEnd[index], fromStart[index + size - 1]) }
  }
}
