internal import PDF

/// The document security store: certificates and revocations for those who check a signature later.
struct ProofStore {
  let certificates: [[UInt8]]
  let lists: [[UInt8]]
  /// OCSP responses.
  let answers: [[UInt8]]
  /// The budget of the file, which evaluating the proofs draws on.
  let budget: ReadingBudget

  private static let names = ["Certs", "CRLs", "OCSPs"]
  private static let mostEntries = 1000

  init(_ file: PDFFile) throws(PDFReadError) {
    budget = file.budget
    let store = try file.resolve(file.catalog()["DSS"]).dictionary
    var all: [[[UInt8]]] = []
    for name in Self.names {
      var values: [[UInt8]] = []
      let entries = try file.resolve(store?[name]).array ?? []
      guard entries.count <= Self.mostEntries else {
        throw PDFReadError("its store has \(entries.count) proofs in /\(name); at most \(Self.mostEntries) are read")
      }
      var seen = Set<PDFObject>()
      for entry in entries where seen.insert(entry).inserted {
        guard case .stream(let stream) = try file.resolve(entry) else {
          throw PDFReadError("its store of proofs has something that is no proof")
        }
        try budget.take(stream.bytes.count, .readBytes)
        values.append(try file.contents(of: stream))
      }
      all.append(values)
    }
    (certificates, lists, answers) = (all[0], all[1], all[2])
  }

  /// The file with more proofs, in a revision of their own.
  static func adding(
    _ certificates: [[UInt8]], _ lists: [[UInt8]], _ answers: [[UInt8]], to file: PDFFile
  ) throws(PDFReadError) -> [UInt8] {
    let known = try ProofStore(file)
    var catalog = try file.catalog()
    var store = try file.resolve(catalog["DSS"]).dictionary ?? ["Type": .name("DSS")]
    var writer = try RevisionWriter(file)
    let groups = [(certificates, known.certificates), (lists, known.lists), (answers, known.answers)]
    for (name, (values, old)) in zip(names, groups) {
      let fresh = values.filter { !old.contains($0) }
      guard !fresh.isEmpty else { continue }
      let entries = fresh.map { bytes in
        PDFObject.reference(writer.add(.stream(PDFStream(["Length": .integer(bytes.count)], bytes))))
      }
      store[name] = .array((try file.resolve(store[name]).array ?? []) + entries)
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
