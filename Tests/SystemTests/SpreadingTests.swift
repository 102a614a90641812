import Base
import Bus
import GatewayContract
import RPC
import ServiceKit
import SignatureContract
import TestSupport
import Testing

/// What `assent up` starts draws on all of its processes, with every default.
@Suite(.serialized) struct SpreadingTests {
  @Test("drawing spreads over the processes of `assent up --signature 3`, by counts", .timeLimit(.minutes(5)))
  func spreading() async throws {
    let folder = try TemporaryFolder()
    let up = try await RunningProgram.start(
      "assent",
      [
        "up", "--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0", "--data", folder.file("data"),
        "--signature", "3", "--consent", "0", "--account", "0",
      ])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let connection = try await BusConnection.open(
      .init(gateways: [try BusSettings.socket(.clients, in: folder.file("data/bus"))]))
    try await connection.ready()
    let gateway = GatewayServiceClient(connection.channel)
    let pad = CallerIdentity(kind: .device, tenant: "t1", subject: "pad", device: "pad")
    let render = RenderServiceClient(connection.channel.acting(for: pad))
    var before = try await drawn(gateway)
    #expect(before.count == 3)
    for (callers, pictures) in [(1, 60), (16, 320), (48, 960)] {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<callers {
          group.addTask {
            for number in stride(from: lane, to: pictures, by: callers) {
              // Each picture is another one, so that none is found in a cache.
              let places = (0..<40).map { Double($0 * 12) }
              let drawing = InkDrawing(
                strokes: [InkStroke(x: places, y: places.map { _ in Double(number % 190) })],
                canvas: InkCanvas(width: 600, height: 200))
              _ = try await render.render(
                RenderRequest(
                  source: .drawing(drawing), settings: RenderSettings(scale: 1 + Double(pictures + number) / 1e6)),
                deadline: .seconds(60))
            }
          }
        }
        try await group.waitForAll()
      }
      let after = try await drawn(gateway)
      let counts = after.map { Int64($0.value) - Int64(before[$0.key] ?? 0) }
      before = after
      let least = try #require(counts.min())
      #expect(counts.reduce(0, +) == Int64(pictures), "\(callers) callers: \(counts)")
      // A process that another program holds up gets less, as it should; a third of its share is there in any case.
      #expect(least * 9 >= Int64(pictures), "\(callers) callers: \(counts)")
    }
    try await connection.close()
    up.send(.interrupt)
    #expect(await up.wait() == .code(0))
  }

  /// How many calls each process that draws has finished.
  private func drawn(_ gateway: GatewayServiceClient) async throws -> [String: UInt64] {
    let instances = try await gateway.listInstances(ListInstancesRequest()).instances
    let drawing = instances.filter { $0.services.contains("assent.signature.v1.RenderService") }
    return Dictionary(drawing.map { ($0.name, $0.finished) }) { $0 + $1 }
  }
}
