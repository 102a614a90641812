internal import Base
internal import BenchKit
internal import Documents
internal import PDF
internal import Sealing

/// Consent documents composed, sealed and verified, against WeasyPrint, ReportLab, cairo with Pango, and pyHanko.
@main struct PdfBench {
  static func main() async {
    await Bench.run("pdf") { bench in
      let files = try await BenchFiles()
      try await composing(&bench, files)
      try await sealing(&bench, files)
      try await parts(&bench, files)
      await bench.group("bus", of: ["bus_sealed", "bus_composed"]) { try await BusCases.run(&$0, files) }
    }
  }

  /// Three A4 pages with two signatures; fonts were read before, on all sides.
  private static func composing(_ bench: inout Bench, _ files: BenchFiles) async throws {
    let python = Peer.python("pdf/documents.py")
    let cairo = Peer.compiled("pdf/cairo_pango.c", flags: try await Self.flags("pangocairo"))
    await bench.compare(
      "pdf3", "three-page consent document, tagged, PDF/A-2a", unit: .nanoseconds,
      ours: { try nanosecondsPerOperation { blackHole(try files.compose(files.paper)) } },
      peers: [
        "weasyprint": { try await python.measure("weasyprint") },
        "reportlab": { try await python.measure("reportlab") },
        "cairo_pango": { try await cairo.measure("cairo_pango") },
      ])
    bench.report("bytes/pdf3", "its size", unit: .bytes, value: Double(files.document.count))
    bench.report("bytes/sealed", "its size with a seal of level B-T", unit: .bytes, value: Double(files.sealed.count))
  }

  private static func sealing(_ bench: inout Bench, _ files: BenchFiles) async throws {
    let python = Peer.python("pdf/signatures.py")
    await bench.compare(
      "seal_bb", "seal of level B-B, ECDSA P-256", unit: .nanoseconds,
      ours: { try await nanosecondsPerOperation { blackHole(try await files.seal(isTimed: false)) } },
      peers: ["pyhanko": { try await python.measure("seal_bb") }])
    await bench.compare(
      "seal_bt", "seal of level B-T, the time-stamping authority in the process", unit: .nanoseconds,
      ours: { try await nanosecondsPerOperation { blackHole(try await files.seal(isTimed: true)) } },
      peers: ["pyhanko": { try await python.measure("seal_bt") }])
    await bench.compare(
      "verify", "verification of a seal of level B-T", unit: .nanoseconds,
      ours: { try nanosecondsPerOperation { try files.verify() } },
      peers: ["pyhanko": { try await python.measure("verify") }])
  }

  /// What has no peer.
  private static func parts(_ bench: inout Bench, _ files: BenchFiles) async throws {
    let long = files.paper(sections: 400)
    let pages = Double(try files.pages(of: files.composer.compose(long)))
    await bench.measure("page", "each page of a document of \(Int(pages))", unit: .nanoseconds) {
      try nanosecondsPerOperation { blackHole(try files.compose(long)) } / pages
    }
  }

  /// What a C library's users tell the compiler, as pkg-config knows it.
  private static func flags(_ package: String) async throws -> [String] {
    let (_, lines) = try await ChildProcess.output(of: ChildCommand("pkg-config", ["--cflags", "--libs", package]))
    return lines.joined(separator: " ").split(separator: " ").map(String.init) + ["-lm"]
  }
}
