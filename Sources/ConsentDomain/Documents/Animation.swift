/// Reads the boxes of an MP4 file (ISO/IEC 14496-12): enough to know that there is H.264 video in it, and all of it.
enum Animation {
  /// What is wrong with the file; nil if it has video with all of its frames.
  static func fault(in data: [UInt8]) -> String? {
    guard let boxes = boxes(in: data[...]) else { return "is no whole MP4: its boxes do not fill it" }
    guard boxes.first?.kind == "ftyp" else { return "is no MP4: it does not begin with its type" }
    let tracks = all("trak", in: all("moov", in: boxes))
    guard !tracks.isEmpty else { return "has no track: it is a header without a film" }
    let tables = all("stbl", in: all("minf", in: all("mdia", in: tracks)))
    let films = tables.filter { table in
      first("stsd", in: table.body).map { $0.dropFirst(12).prefix(4) }
        .map { ["avc1", "avc3"].contains(String(decoding: $0, as: UTF8.self)) } ?? false
    }
    guard !films.isEmpty else { return "has no H.264 video, the only one that is shown everywhere" }
    let media = boxes.filter { $0.kind == "mdat" }.reduce(0) { $0 + $1.body.count }
    let frames = films.compactMap { first("stsz", in: $0.body).flatMap(sizes) }
    guard let bytes = frames.max(), bytes > 0 else { return "has no frame: it is a header without a film" }
    guard bytes <= media else { return "lacks frames: \(bytes) bytes of video are announced, \(media) are there" }
    return nil
  }

  private struct Box {
    let kind: String
    let body: ArraySlice<UInt8>
  }

  /// The boxes that fill these bytes; nil if they do not.
  private static func boxes(in bytes: ArraySlice<UInt8>) -> [Box]? {
    var boxes: [Box] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 8, boxes.count < 4096 else { return nil }
      var head = 8
      var size = number(rest.prefix(4))
      let kind = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      if size == 1 {
        guard rest.count >= 16, number(rest.dropFirst(8).prefix(4)) == 0 else { return nil }
        (head, size) = (16, number(rest.dropFirst(12).prefix(4)))
      }
      // The last box may leave its size open.
      if size == 0 { size = rest.count }
      guard size >= head, size <= rest.count else { return nil }
      boxes.append(Box(kind: kind, body: rest.dropFirst(head).prefix(size - head)))
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  private static func all(_ kind: String, in boxes: [Box]) -> [Box] {
    // Opens only the boxes that `fault` asks for, one level with each call.
    let parents = kind == "moov" ? boxes : boxes.flatMap { self.boxes(in: $0.body) ?? [] }
    return parents.filter { $0.kind == kind }
  }

  private static func first(_ kind: String, in body: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    boxes(in: body)?.first { $0.kind == kind }?.body
  }

  /// How many bytes the frames have together.
  private static func sizes(_ table: ArraySlice<UInt8>) -> Int? {
    guard table.count >= 12 else { return nil }
    let each = number(table.dropFirst(4).prefix(4)), count = number(table.dropFirst(8).prefix(4))
    guard each == 0 else {
      let (bytes, isTooLarge) = each.multipliedReportingOverflow(by: count)
      return isTooLarge ? .max : bytes
    }
    guard count <= (table.count - 12) / 4 else { return nil }
    return (0..<count).reduce(0) { $0 + number(table.dropFirst(12 + $1 * 4).prefix(4)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
