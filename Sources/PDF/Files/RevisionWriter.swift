internal import Base

/// Appends changes to a file without touching any of its bytes, so that signatures of what was signed stay valid.
public struct RevisionWriter {
  private let file: PDFFile
  private var changed: [(reference: PDFReference, bytes: [UInt8])] = []
  private var nextNumber: Int

  public init(_ file: PDFFile) throws(PDFReadError) {
    self.file = file
    let size = file.trailer["Size"]?.integer ?? 0
    guard let last = file.numbers.last, size > last, size <= PDFFile.highestNumber else {
      throw PDFReadError("the file's trailer counts \(size) objects, and there are more")
    }
    nextNumber = size
  }

  public mutating func reserve() -> PDFReference {
    nextNumber += 1
    return PDFReference(nextNumber - 1)
  }

  public mutating func write(_ object: PDFObject, as reference: PDFReference) {
    var bytes: [UInt8] = []
    bytes.append(object)
    write(bytes: bytes, as: reference)
  }

  /// Writes an object in exactly these bytes.
  public mutating func write(bytes: [UInt8], as reference: PDFReference) {
    changed.append(
      (reference, Array("\(reference.number) \(reference.generation) obj\n".utf8) + bytes + "\nendobj\n".utf8))
  }

  public mutating func add(_ object: PDFObject) -> PDFReference {
    let reference = reserve()
    write(object, as: reference)
    return reference
  }

  /// A reference to an object of the file, with its generation.
  public func reference(to number: Int) -> PDFReference {
    PDFReference(number, generation: file.generation(of: number))
  }

  /// The whole file, and the offset of each changed object in it.
  public consuming func finish() -> (bytes: [UInt8], offsets: [PDFReference: Int]) {
    var bytes = Array(file.bytes)
    if bytes.last != 10 { bytes.append(10) }
    var offsets: [PDFReference: Int] = [:]
    for (reference, object) in changed {
      offsets[reference] = bytes.count
      bytes += object
    }
    // A table follows tables and a stream follows streams, since some readers may not expect a mixture.
    if file.usesStreams { appendStream(offsets, &bytes) } else { appendTable(offsets, &bytes) }
    return (bytes, offsets)
  }

  private func trailer(size: Int) -> PDFDictionary {
    var trailer: PDFDictionary = ["Size": .integer(size)]
    for name in ["Root", "Info", "ID"] { trailer[name] = file.trailer[name] }
    trailer["Prev"] = .integer(file.start)
    return trailer
  }

  private func appendTable(_ offsets: [PDFReference: Int], _ bytes: inout [UInt8]) {
    let table = bytes.count
    bytes += "xref\n".utf8
    for run in Self.runs(offsets.keys.sorted { $0.number < $1.number }) {
      bytes += "\(run[0].number) \(run.count)\n".utf8
      for reference in run {
        bytes += "\(padded(offsets[reference] ?? 0, 10)) \(padded(reference.generation, 5)) n \n".utf8
      }
    }
    bytes += "trailer\n".utf8
    bytes.append(.dictionary(trailer(size: nextNumber)))
    bytes += "\nstartxref\n\(table)\n%%EOF\n".utf8
  }

  private func appendStream(_ offsets: [PDFReference: Int], _ bytes: inout [UInt8]) {
    let own = PDFReference(nextNumber)
    let place = bytes.count
    var all = offsets
    all[own] = place
    let ordered = all.keys.sorted { $0.number < $1.number }
    var entries: [UInt8] = []
    for reference in ordered {
      let offset = all[reference] ?? 0
      entries += [
        1, UInt8(offset >> 24 & 255), UInt8(offset >> 16 & 255), UInt8(offset >> 8 & 255), UInt8(offset & 255),
      ]
      entries += [UInt8(reference.generation >> 8), UInt8(reference.generation & 255)]
    }
    var dictionary = trailer(size: nextNumber + 1)
    dictionary["Type"] = .name("XRef")
    dictionary["W"] = .array([.integer(1), .integer(4), .integer(2)])
    dictionary["Index"] = .array(
      Self.runs(ordered).flatMap { [PDFObject.integer($0[0].number), .integer($0.count)] })
    dictionary["Length"] = .integer(entries.count)
    bytes += "\(own.number) 0 obj\n".utf8
    bytes.append(.stream(PDFStream(dictionary, entries)))
    bytes += "\nendobj\nstartxref\n\(place)\n%%EOF\n".utf8
  }

  /// Groups of references with consecutive numbers.
  private static func runs(_ references: [PDFReference]) -> [[PDFReference]] {
    var runs: [[PDFReference]] = []
    for reference in references {
      if let last = runs.last?.last, last.number + 1 == reference.number {
        runs[runs.count - 1].append(reference)
      } else {
        runs.append([reference])
      }
    }
    return runs
  }
}
