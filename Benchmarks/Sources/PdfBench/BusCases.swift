internal import Base
internal import BenchKit
internal import Bus
internal import Ink
internal import InkSamples
internal import RPC
internal import Sealing
internal import SignatureContract
internal import Wire

/// Documents as ConsentService has them made: laid out by one process, sealed by another, over the bus.
enum BusCases {
  private static let callers = 4
  private static let inFlight = 8

  static func run(_ bench: inout Bench, _ files: BenchFiles) async throws {
    try await PaperSystem.start(sealKey: files.sealKey).lend { try await run(&bench, $0) }
  }

  private static func run(_ bench: inout Bench, _ system: PaperSystem) async throws {
    let paper = try Self.paper()
    // Fonts are read once.
    let sealed = try await system.sealed(paper, for: 0).count
    let composed = try await system.composed(paper, for: 0).count
    await bench.measure(
      "bus_sealed", "three-page documents composed and sealed over the bus, \(inFlight) in flight", unit: .perSecond
    ) {
      try await perSecond(for: .seconds(4)) { number in
        // A signature of ECDSA is a few bytes longer or shorter; the file has room for it.
        try check(try await system.sealed(paper, for: number % callers), isAsLongAs: sealed)
      }
    }
    await bench.measure(
      "bus_composed", "the same without seals", unit: .perSecond
    ) {
      try await perSecond(for: .seconds(4)) { number in
        try check(try await system.composed(paper, for: number % callers), isAsLongAs: composed)
      }
    }
  }

  private static func check(_ document: [UInt8], isAsLongAs size: Int) throws {
    guard document.starts(with: Array("%PDF-".utf8)), abs(document.count - size) <= 64 else {
      throw WrongAnswer(description: "a document of \(document.count) bytes came; the first has \(size)")
    }
  }

  /// What follows each answer is another call.
  private static func perSecond(
    for time: Duration, _ work: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let clock = Clock.system
    let start = clock.monotonic
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<inFlight {
        group.addTask {
          var count = 0
          while clock.monotonic < start + time {
            try await work(number)
            count += 1
          }
          return count
        }
      }
      var sum = 0
      for try await count in group { sum += count }
      return sum
    }
    return Double(count) / (Double((clock.monotonic - start).wholeNanoseconds) / 1e9)
  }

  private static func paper() throws -> Paper {
    let blob = StrokeBlob(SampleSignature.all[3].ink).bytes
    return Paper(
      title: BenchText.title, language: "en", sheet: .a4,
      sections: (1...BenchText.sections).map { number in
        PaperSection(heading: BenchText.heading(number), html: BenchText.markup(number))
      },
      signatureTitle: "Signatures",
      signatures: BenchText.signers.map { signer in
        PaperSignature(
          title: signer.title, role: signer.role, meaning: signer.meaning, printedName: signer.name,
          printedTime: signer.time, image: .blob(blob), showsImage: true, showsName: true)
      },
      createdAt: Timestamp(BenchFiles.now), verificationAddress: "https://consent.example.org/verify/t1.0a",
      sealable: true)
  }
}

/// A gateway, a process that lays out on both cores, one with a seal's key, and this process's connection to them.
private final class PaperSystem: Sendable, Stoppable {
  private let processes: [ChildProcess]
  private let connection: BusConnection
  private let folder: TemporaryFolder

  static func start(sealKey: [UInt8]) async throws -> PaperSystem {
    let folder = try TemporaryFolder(named: "assent-pdf-bench")
    let bus = folder.file("bus")
    try Files.write(sealKey, to: folder.file("seal.pem"), mode: 0o600)
    let gateway = try await Program.start("gateway", ["--bus-folder", bus])
    let composer = try await Program.start("SignatureService", ["--bus-folder", bus, "--paper-only"])
    let sealer = try await Program.start(
      "SignatureService", ["--bus-folder", bus, "--seal-only", "--seal-key-file", folder.file("seal.pem")])
    let connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    return PaperSystem([composer, sealer, gateway], connection, folder)
  }

  private init(_ processes: [ChildProcess], _ connection: BusConnection, _ folder: TemporaryFolder) {
    (self.processes, self.connection, self.folder) = (processes, connection, folder)
  }

  /// Callers take turns, so there are several.
  private func channel(_ caller: Int) -> BusChannel {
    connection.channel.acting(for: CallerIdentity(kind: .service, tenant: "t\(caller)", subject: "consent"))
  }

  func composed(_ paper: Paper, for caller: Int) async throws -> [UInt8] {
    let client = PaperServiceClient(channel(caller))
    return try await client.composeDocument(ComposeDocumentRequest(paper: paper), deadline: .seconds(60)).content
  }

  func sealed(_ paper: Paper, for caller: Int) async throws -> [UInt8] {
    let pdf = try await composed(paper, for: caller)
    let draft = try SealDraft(pdf, SealRequest(permission: .signing), at: Clock.system.now)
    let seal = try await SealServiceClient(channel(caller)).sealDocument(
      SealDocumentRequest(digest: draft.digest), deadline: .seconds(60))
    return try draft.complete(with: seal.signature)
  }

  func stop() async throws {
    try await connection.close()
    for process in processes { await process.stop() }
  }
}
