internal import Pictures

/// A sheet of paper that was photographed as it lay on something darker: where its corners are, and what it looks like
/// from above.
///
/// Geometry is in floating point, but of the four operations and roots only, which every machine rounds alike.
struct Sheet {
  private typealias Place = SIMD2<Double>

  /// In pixels of the picture: top left, top right, bottom right, bottom left.
  private let corners: [Place]

  /// A sheet is looked for in a picture of at most as many pixels across.
  private static let mostPixelsAcross = 256
  /// How far around a pixel lines are taken for paper: farther than half a pen's line is wide.
  private static let inkReach = 2
  /// The brightness, in hundredths of the paper's, up to which a desk can be told from it at all, and safely: a fold or
  /// a shadow makes as much of a difference as a brighter one.
  private static let brightestDesk = 94, safeDesk = 80
  /// How near each other the two sides of an edge are, and how much darker the desk is there, in hundredths: light that
  /// falls off makes no edge.
  private static let edgeReach = 3, leastStep = 8
  /// The least part of the picture: a tenth.
  private static let leastPart = 10
  /// How much is cut off each side, as a part of it: it may curl, and its corners are found by a few pixels.
  private static let margin = 1.0 / 25
  /// The most of the cosine of a corner's angle, which leaves 55 to 125 degrees, and of a side beside the opposite one.
  private static let mostCosine = 0.574, mostRatio = 2.0

  /// Finds the sheet. There is none to be found where paper fills the picture or is cut off by its sides, in whatever
  /// light: then the result is nil, and the picture is taken as it is.
  init?(in light: Plane) throws(InkError) {
    let step = (max(light.width, light.height) - 1) / Self.mostPixelsAcross + 1
    let ground = light.shrunk(by: step).closed(by: Self.inkReach)
    guard min(ground.width, ground.height) >= 32 else { return nil }
    let desk = Self.level(of: ground.rim.map { ground.values[$0] }, hundredth: 90)
    let paper = Self.level(of: ground.values, hundredth: 97)
    guard desk * 100 <= paper * Self.brightestDesk else { return nil }
    let region = SheetRegion(in: ground, above: desk + max(8, (paper - desk) / 5))
    guard region.isEdged(ground, within: Self.edgeReach, by: Self.leastStep) else { return nil }
    guard region.area * Self.leastPart >= ground.values.count else {
      throw PaperRemoval.refusal(
        "shows a sheet of paper from too far away", "the sheet is at least a tenth of the picture")
    }
    guard desk * 100 <= paper * Self.safeDesk else {
      throw PaperRemoval.refusal(
        "shows a sheet of paper on something nearly as bright",
        "lay it on something darker, or photograph only the paper")
    }
    let hull = Self.hull(of: region.outline.map { Place(Double($0 % ground.width), Double($0 / ground.width)) })
    let found = Self.largestQuadrilateral(in: hull)
    guard !region.isCutOff, found.count == 4, region.fills(Self.area(of: hull), Self.area(of: found)) else {
      throw PaperRemoval.refusal(
        "shows a sheet of paper of which not all four corners are seen",
        "lay it flat, with nothing on it, and have all of it in the picture, or only the paper")
    }
    guard Self.isSound(found) else {
      throw PaperRemoval.refusal(
        "shows a sheet of paper too much from the side", "photograph it from above")
    }
    corners = Self.upright(found).map { ($0 + 0.5) * Double(step) }
  }

  /// The brightness that as many hundredths of the pixels do not exceed.
  private static func level(of values: [UInt8], hundredth: Int) -> Int {
    Int(values.sorted()[(values.count - 1) * hundredth / 100])
  }

  // MARK: its corners

  /// The convex hull, clockwise as it is seen.
  private static func hull(of places: [Place]) -> [Place] {
    let sorted = places.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ places: some Sequence<Place>) -> [Place] {
      var kept: [Place] = []
      for place in places {
        while kept.count > 1, turn(kept[kept.count - 2], kept[kept.count - 1], place) <= 0 { kept.removeLast() }
        kept.append(place)
      }
      return Array(kept.dropLast())
    }
    return half(sorted) + half(sorted.reversed())
  }

  /// Twice the area of the triangle: positive if it winds clockwise as it is seen, with y down.
  private static func turn(_ one: Place, _ two: Place, _ three: Place) -> Double {
    (two.x - one.x) * (three.y - one.y) - (two.y - one.y) * (three.x - one.x)
  }

  private static func area(of corners: [Place]) -> Double {
    guard corners.count > 2 else { return 0 }
    return (2..<corners.count).reduce(0) { $0 + turn(corners[0], corners[$1 - 1], corners[$1]) } / 2
  }

  /// The largest quadrilateral with four of these corners, of which a grid as small as this has 150 at most: two across
  /// from each other, and on either side the one that is farthest.
  private static func largestQuadrilateral(in hull: [Place]) -> [Place] {
    var (best, found) = (0.0, [Place]())
    for first in hull.indices {
      for second in hull.indices.dropFirst(first + 2) {
        // Negative on one side, positive on the other.
        var (least, most, one, other) = (0.0, 0.0, first, second)
        for place in hull.indices {
          let area = turn(hull[first], hull[second], hull[place])
          if area < least { (least, one) = (area, place) }
          if area > most { (most, other) = (area, place) }
        }
        guard least < 0, most > 0, most - least > best else { continue }
        best = most - least
        found = [hull[first], hull[one], hull[second], hull[other]]
      }
    }
    return found
  }

  /// Whether a sheet of paper can look like this from above, more or less.
  private static func isSound(_ corners: [Place]) -> Bool {
    let sides = (0..<4).map { corners[($0 + 1) % 4] - corners[$0] }
    let lengths = sides.map(length)
    return (0..<4).allSatisfy { side in
      let (next, across) = ((side + 1) % 4, (side + 2) % 4)
      let cosine = (sides[side] * sides[next]).sum() / (lengths[side] * lengths[next])
      return abs(cosine) <= mostCosine && lengths[side] <= lengths[across] * mostRatio
    }
  }

  private static func length(_ side: Place) -> Double { (side * side).sum().squareRoot() }

  /// The corners from the one on, from which a side leads to the right: a sheet lies askew by less than 45 degrees.
  private static func upright(_ corners: [Place]) -> [Place] {
    func slope(_ first: Int) -> Double {
      let side = corners[(first + 1) % 4] - corners[first]
      return side.x / length(side)
    }
    let first = (0..<4).max { slope($0) < slope($1) } ?? 0
    return (0..<4).map { corners[(first + $0) % 4] }
  }

  // MARK: what it looks like

  /// The sheet as it is seen from above, without its margins, and no larger than that many pixels across.
  func straightened(_ light: Plane, atMost most: Int) -> Plane {
    let view = View(of: corners)
    let sides = (0..<4).map { Self.length(corners[($0 + 1) % 4] - corners[$0]) }
    // As wide as it is seen, and as high as it is beside that.
    let across = (sides[0] + sides[2]) / 2, down = across / view.shape(in: light)
    let kept = (1 - 2 * Self.margin) * min(1, Double(most) / max(across, down))
    let (width, height) = (max(1, Int(across * kept)), max(1, Int(down * kept)))
    var values: [UInt8] = []
    values.reserveCapacity(width * height)
    for row in 0..<height {
      let v = Self.margin + (1 - 2 * Self.margin) * (Double(row) + 0.5) / Double(height)
      for column in 0..<width {
        let u = Self.margin + (1 - 2 * Self.margin) * (Double(column) + 0.5) / Double(width)
        values.append(light.value(at: view.place(u, v)))
      }
    }
    return Plane(values, width: width)
  }

  /// Where the places of a square, 0 to 1 across and down, are seen in a picture (Heckbert's projective mapping).
  private struct View {
    private let origin: Place
    private let across: Place
    private let down: Place
    /// How fast things become smaller.
    private let depth: Place

    init(of corners: [Place]) {
      let (one, two) = (corners[1] - corners[2], corners[3] - corners[2])
      let rest = corners[0] - corners[1] + corners[2] - corners[3]
      let scale = one.x * two.y - two.x * one.y
      depth = Place(rest.x * two.y - two.x * rest.y, one.x * rest.y - rest.x * one.y) / scale
      origin = corners[0]
      across = corners[1] - corners[0] + corners[1] * depth.x
      down = corners[3] - corners[0] + corners[3] * depth.y
    }

    func place(_ u: Double, _ v: Double) -> Place {
      (across * u + down * v + origin) / (depth.x * u + depth.y * v + 1)
    }

    /// How wide the square is for its height, as a phone's camera sees it: the sides' directions in space follow from
    /// where the picture's middle is and how far the lens is from it.
    func shape(in picture: Plane) -> Double {
      let middle = Place(Double(picture.width), Double(picture.height)) / 2
      let distance = Double(max(picture.width, picture.height)) * View.lens
      func long(_ side: Place, _ depth: Double) -> Double {
        let beside = (side - middle * depth) / distance
        return ((beside * beside).sum() + depth * depth).squareRoot()
      }
      return long(across, depth.x) / long(down, depth.y)
    }

    /// The distance for a picture that is 1 wide: that of lenses which are called 28 mm.
    private static let lens = 0.8
  }
}

extension Plane {
  /// The value between the middles of four pixels.
  fileprivate func value(at place: SIMD2<Double>) -> UInt8 {
    let x = min(max(place.x - 0.5, 0), Double(width - 1)), y = min(max(place.y - 0.5, 0), Double(height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (across, down) = (x - Double(left), y - Double(top))
    func row(_ row: Int) -> Double {
      Double(values[row * width + left]) * (1 - across) + Double(values[row * width + right]) * across
    }
    return UInt8(row(top) * (1 - down) + row(bottom) * down + 0.5)
  }

  /// The mean of each block of pixels.
  fileprivate func shrunk(by step: Int) -> Plane {
    guard step > 1 else { return self }
    let (across, down) = ((width - 1) / step + 1, (height - 1) / step + 1)
    var means: [UInt8] = []
    means.reserveCapacity(across * down)
    for row in 0..<down {
      for column in 0..<across {
        var (sum, count) = (0, 0)
        for y in row * step..<min((row + 1) * step, height) {
          for x in column * step..<min((column + 1) * step, width) {
            sum += Int(values[y * width + x])
            count += 1
          }
        }
        means.append(UInt8(sum / count))
      }
    }
    return Plane(means, width: across)
  }
}
