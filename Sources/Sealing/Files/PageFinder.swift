internal import PDF

/// Finds a page by its place in the file.
struct PageFinder {
  let file: PDFFile

  /// The visible part of a page.
  struct Area {
    let left, bottom, right, top: Double

    fileprivate init(_ box: [Double]) {
      (left, bottom) = (min(box[0], box[2]), min(box[1], box[3]))
      (right, top) = (max(box[0], box[2]), max(box[1], box[3]))
    }
  }

  private static let deepest = 64
  private static let mostNodes = 100_000

  /// - Parameter place: counts from 1.
  func page(_ place: Int) throws(PDFReadError) -> (number: Int, seen: Area)? {
    guard let root = try file.catalog()["Pages"]?.reference?.number else { return nil }
    // A page inherits both boxes from the nodes above it.
    var waiting: [(number: Int, boxes: [String: [Double]], depth: Int)] = [(root, [:], 0)]
    var (left, nodes) = (place, 0)
    while let (number, above, depth) = waiting.popLast() {
      var boxes = above
      nodes += 1
      guard nodes <= Self.mostNodes, depth < Self.deepest, let dictionary = try file.object(number).dictionary else {
        return nil
      }
      for name in ["MediaBox", "CropBox"] {
        let box = try file.resolve(dictionary[name]).array?.compactMap(\.points) ?? []
        // A box with numbers beyond those of any page is ignored.
        if box.count == 4, box.allSatisfy({ abs($0) < 1_000_000 }) { boxes[name] = box }
      }
      if dictionary["Type"]?.name == "Page" {
        left -= 1
        if left == 0 { return (number, Area(boxes["CropBox"] ?? boxes["MediaBox"] ?? [0, 0, 0, 0])) }
        continue
      }
      let kids = try file.resolve(dictionary["Kids"]).array?.compactMap(\.reference?.number) ?? []
      guard waiting.count + kids.count <= Self.mostNodes else { return nil }
      for kid in kids.reversed() { waiting.append((kid, boxes, depth + 1)) }
    }
    return nil
  }
}
