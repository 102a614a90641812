internal import Base
internal import PDF

/// The document security store: certificates and revocations for those who check a signature later.
struct ProofStore {
  let certificates: [[UInt8]]
  let lists: [[UInt8]]
  /// OCSP responses.
  let answers: [[UInt8]]
  /// The file's budget, from which the evaluation of the proofs is paid.
  let budget: ReadingBudget

  /// Whether there are further proofs, which are too large to be read.
  let hasLargeOnes: Bool

  /// A kind of proof: its entry in the store, and the most bytes of one proof and of all together. Certificates take
  /// fifty times their bytes in memory, and lists ten times.
  private struct Kind {
    let name: String
    let mostBytes: Int
    let mostTogether: Int
  }

  private static let kinds = [
    Kind(name: "Certs", mostBytes: Certificate.mostBytes, mostTogether: 2 << 20),
    Kind(name: "CRLs", mostBytes: 16 << 20, mostTogether: 32 << 20),
    Kind(name: "OCSPs", mostBytes: 64 << 10, mostTogether: 2 << 20),
  ]
  private static let mostEntries = 1000

  init(_ file: PDFFile) throws(PDFReadError) {
    budget = file.budget
    let store = try file.resolve(file.catalog()["DSS"]).dictionary
    var all: [[[UInt8]]] = []
    var hasLargeOnes = false
    for kind in Self.kinds {
      var values: [[UInt8]] = []
      let entries = try file.resolve(store?[kind.name]).array ?? []
      guard entries.count <= Self.mostEntries else {
        throw PDFReadError(
          "its store has \(entries.count) proofs in /\(kind.name); at most \(Self.mostEntries) are read")
      }
      var seen = Set<PDFObject>()
      // Several objects may contain the same proof.
      var known = Set<Digest>()
      for entry in entries where seen.insert(entry).inserted {
        guard case .stream(let stream) = try file.resolve(entry) else {
          throw PDFReadError("its store of proofs has something that is no proof")
        }
        try budget.take(stream.bytes.count, .readBytes)
        let value = try file.contents(of: stream)
        guard value.count <= kind.mostBytes else {
          hasLargeOnes = true
          continue
        }
        if known.insert(Digest(of: value)).inserted { values.append(value) }
      }
      try Self.check(values, of: kind)
      all.append(values)
    }
    self.hasLargeOnes = hasLargeOnes
    (certificates, lists, answers) = (all[0], all[1], all[2])
  }

  private static func check(_ values: [[UInt8]], of kind: Kind) throws(PDFReadError) {
    let count = values.reduce(0) { $0 + $1.count }
    guard count <= kind.mostTogether else {
      throw PDFReadError(
        "its store has \(count) bytes of proofs in /\(kind.name); at most \(kind.mostTogether) are read",
        isExhaustion: true)
    }
  }

  /// The file with more proofs, added as a revision.
  static func adding(
    _ certificates: [[UInt8]], _ lists: [[UInt8]], _ answers: [[UInt8]], to file: PDFFile
  ) throws(PDFReadError) -> [UInt8] {
    let known = try ProofStore(file)
    var catalog = try file.catalog()
    var store = try file.resolve(catalog["DSS"]).dictionary ?? ["Type": .name("DSS")]
    var writer = try RevisionWriter(file)
    let groups = [(certificates, known.certificates), (lists, known.lists), (answers, known.answers)]
    for (kind, (values, old)) in zip(kinds, groups) {
      let fresh = values.filter { !old.contains($0) }
      guard !fresh.isEmpty else { continue }
      try check(old + fresh, of: kind)
      let entries = fresh.map { bytes in
        PDFObject.reference(writer.add(.stream(PDFStream(["Length": .integer(bytes.count)], bytes))))
      }
      store[kind.name] = .array((try file.resolve(store[kind.name]).array ?? []) + entries)
    }
    if let number = catalog["DSS"]?.reference?.number {
      writer.write(.dictionary(store), as: writer.reference(to: number))
    } else {
      catalog["DSS"] = .reference(writer.add(.dictionary(store)))
      guard let root = file.trailer["Root"]?.reference?.number else { throw PDFReadError("the file has no catalog") }
      writer.write(.dictionary(catalog), as: writer.reference(to: root))
    }
    return writer.finish().bytes
  }
}
