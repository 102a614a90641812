import Base
import Bus
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import Synchronization
import TestSupport
import Testing

/// Render workers as processes of their own behind a gateway's process, and what happens when they die.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WorkerFaultTests {
  /// A small picture, since this test looks for lost answers and not for speed.
  private static let settings = RenderSettings(format: .png, trim: true, width: 60, height: 20)

  @Test("workers are killed while 10,000 pictures are in flight: all answers arrive, byte for byte the same")
  func killed() async throws {
    let system = try await RenderProcesses.start(workers: 3)
    let client = RenderServiceClient(system.client)
    let samples = SampleSignature.all.map(\.ink)
    let requests = samples.map { RenderRequest(source: .blob(StrokeBlob($0).bytes), settings: Self.settings) }
    let options = try RenderOptions(Self.settings)
    let expected = try samples.map { try Renderer().render($0, options).bytes }

    let count = 10_000
    let answered = Answers()
    let kills = try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let index = number % requests.count
          let picture = try await client.render(requests[index], deadline: .seconds(240))
          #expect(picture.image == expected[index])
          answered.count.add(1, ordering: .relaxed)
        }
      }
      var kills = 0
      while kills < 6, answered.count.load(ordering: .relaxed) < count {
        try await system.replaceWorker()
        kills += 1
      }
      try await group.waitForAll()
      return kills
    }
    #expect(answered.count.load(ordering: .relaxed) == count)
    #expect(kills >= 3, "the workers died while there was work")
    try await system.stop()
  }

  @Test("a process that only renders draws, and offers no fields")
  func renderOnly() async throws {
    let system = try await RenderProcesses.start(workers: 1)
    let channel = system.client
    let ink = SampleSignature.reference.ink
    let picture = try await RenderServiceClient(channel).render(RenderRequest(source: .drawing(InkDrawing(ink))))
    #expect(try Renderer().render(ink).bytes == picture.image)
    let refusal = await status {
      _ = try await SignatureServiceClient(channel).getField(GetFieldRequest(fieldID: "f"), deadline: .seconds(20))
    }
    #expect(refusal?.code == .unimplemented)
    try await system.stop()
  }

  @Test("without a master key the process says so in one line and ends")
  func noKey() async throws {
    let folder = try TemporaryFolder()
    let program = try await RunningProgram.start(
      "SignatureService", ["--bus-folder", folder.file("bus"), "--data", folder.file("data")])
    #expect(await program.wait() == .code(1))
    #expect(program.logLines.contains { $0.contains("there is no master key") }, "\(program.logLines)")
  }

  @Test("fields survive the death of their process")
  func durable() async throws {
    let system = try await RenderProcesses.start(workers: 0)
    let first = try await system.startStore()
    let client = SignatureServiceClient(system.client)
    var field = try await FieldDriver.create(client)
    try await field.tap()
    try await field.draw(SampleSignature.reference.ink.strokes)
    let before = field.view
    first.send(.kill)
    _ = await first.wait()
    let second = try await system.startStore()
    try await field.refresh()
    #expect(field.view == before)
    try await field.save()
    #expect(field.view.saved?.pointCount == Int32(SampleSignature.reference.ink.pointCount))
    try await system.stop()
    second.send(.terminate)
    #expect(await second.wait() == .code(0), "\(second.logLines)")
  }
}

private final class Answers: Sendable {
  let count = Atomic(0)
}

/// A gateway and workers in a private folder, and a client's connection from here.
actor RenderProcesses {
  private let folder: TemporaryFolder
  private let gateway: RunningProgram
  private var workers: [RunningProgram] = []
  nonisolated let connection: BusConnection

  static func start(workers: Int) async throws -> RenderProcesses {
    let folder = try TemporaryFolder()
    let bus = folder.file("bus")
    let gateway = try await RunningProgram.start("gateway", ["--bus-folder", bus])
    _ = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    let system = RenderProcesses(folder: folder, gateway: gateway, connection: connection)
    for _ in 0..<workers { try await system.addWorker() }
    return system
  }

  private init(folder: TemporaryFolder, gateway: RunningProgram, connection: BusConnection) {
    self.folder = folder
    self.gateway = gateway
    self.connection = connection
  }

  /// On one machine, access to the private folder is the permission: a peer there may speak for a tenant.
  nonisolated var client: BusChannel {
    connection.channel.acting(for: CallerIdentity(kind: .device, tenant: "clinic", subject: "tablet-7"))
  }

  func addWorker() async throws {
    workers.append(try await start(["--render-only"]))
  }

  /// Kills the oldest worker as the kernel would, and starts another.
  func replaceWorker() async throws {
    let victim = workers.removeFirst()
    victim.send(.kill)
    _ = await victim.wait()
    try await addWorker()
  }

  /// A process with a database.
  func startStore() async throws -> RunningProgram {
    let key = folder.file("master.key")
    if !Files.exists(key) { try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: key, mode: 0o600) }
    return try await start(["--data", folder.file("data"), "--master-key-file", key])
  }

  private func start(_ arguments: [String]) async throws -> RunningProgram {
    let worker = try await RunningProgram.start(
      "SignatureService", ["--bus-folder", folder.file("bus")] + arguments)
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return worker
  }

  func stop() async throws {
    try await connection.close()
    for worker in workers {
      worker.send(.terminate)
      #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    }
  }
}
