import Base
internal import Bus
import InteropContract
import RPC
import SignatureContract
import TestSupport
import Testing

/// `clients/python` as others get it: a wheel, installed into a fresh environment outside the repository.
@Suite(.serialized) struct PythonPackageTests {
  /// What is installed with the package.
  private enum Extras {
    /// What calls over HTTP need, in the oldest version that the package names.
    case oldest
    /// What the bus needs as well, in the newest version.
    case bus
  }

  /// An environment with the package in it, and the interpreter there.
  private static func install(_ extras: Extras, in folder: TemporaryFolder) async throws -> String {
    // The build leaves its traces beside the sources, so it gets a copy of them.
    let script = """
      set -e
      cp -r "$1" "$2/source"
      rm -rf "$2/source/tests"
      python3 -m venv "$2/venv"
      cd "$2"
      venv/bin/pip --quiet --disable-pip-version-check wheel --no-deps --wheel-dir wheels ./source
      wheel=$(echo wheels/assent-*.whl)
      oldest=$(sed -n 's/^dependencies = \\["\\(.*\\)>=\\(.*\\)"\\]$/\\1==\\2/p' source/pyproject.toml)
      case $3 in
        oldest) set -- "$wheel" "$oldest" ;;
        bus) set -- "$wheel[bus]" ;;
      esac
      venv/bin/pip --quiet --disable-pip-version-check install "$@"
      """
    let arguments = ["-c", script, "install", Repository.path("clients/python"), folder.path, "\(extras)"]
    let exit = try await ChildProcess.start(ChildCommand("bash", arguments)).wait()
    try #require(exit.isSuccess)
    return folder.file("venv/bin/python")
  }

  private static func run(_ python: String, _ arguments: [String]) async throws -> (ProcessExit, [String]) {
    var command = ChildCommand(python, arguments)
    command.environment["PYTHONDONTWRITEBYTECODE"] = .some("1")
    return try await ChildProcess.output(of: command)
  }

  @Test("over HTTP the package needs no pyzmq, and the oldest protobuf that it names", .timeLimit(.minutes(5)))
  func oldest() async throws {
    let folder = try TemporaryFolder()
    let python = try await Self.install(.oldest, in: folder)
    let gateway = try await HTTPGateway.start()
    let calls = try await Self.run(
      python, [Repository.path("clients/python/tests/http_calls.py"), gateway.address, gateway.key])
    #expect(calls.0.isSuccess && calls.1 == ["all calls are as they should be"], "\(calls.1)")
  }

  @Test("the wheel has the contract in it, and calls over HTTP and over a private bus", .timeLimit(.minutes(5)))
  func wheel() async throws {
    let folder = try TemporaryFolder()
    let python = try await Self.install(.bus, in: folder)
    let gateway = try await HTTPGateway.start()
    let calls = try await Self.run(
      python, [Repository.path("clients/python/tests/http_calls.py"), gateway.address, gateway.key])
    #expect(calls.0.isSuccess && calls.1 == ["all calls are as they should be"], "\(calls.1)")

    let system = try await TestSystem.start()
    try await system.startWorker("InteropService")
    let script = """
      import sys, assent
      from assent import BusClient, Caller
      from assent.interop.v1.interop_pb2 import UnaryCallRequest
      print("site-packages" in assent.__file__)
      with BusClient([sys.argv[1]], tenant="clinic") as client:
          interop = client.service("assent.interop.v1.InteropService")
          print(interop.UnaryCall(UnaryCallRequest(fill_caller=True)).caller)
          ada = Caller("clinic", "ada", "device")
          print(interop.UnaryCall(UnaryCallRequest(fill_caller=True), caller=ada).caller)
      """
    let bus = try await Self.run(python, ["-c", script, "ipc://\(system.busFolder)/clients"])
    #expect(bus.0.isSuccess && bus.1 == ["True", "clinic/", "clinic/ada"], "\(bus.1)")
  }

  @Test("a worker in Python that draws with Pillow takes its share of the pool's calls", .timeLimit(.minutes(3)))
  func pool() async throws {
    let system = try await TestSystem.start()
    try await system.startWorker("SignatureService", ["--render-only"])
    let python = try await RunningProgram.startPython(
      [Repository.path("clients/python/tests/render_worker.py"), "--bus-folder", system.busFolder])
    _ = try #require(await python.line(containing: "ready"), "\(python.logLines)")
    let connection = try await system.connect()
    let render = RenderServiceClient(
      connection.channel.acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "test")))
    let (callers, each) = (8, 50)
    let drawn = try await withThrowingTaskGroup(of: (ours: Int, pillow: Int).self) { group in
      for caller in 0..<callers {
        group.addTask {
          var count = (ours: 0, pillow: 0)
          for number in 0..<each {
            let x = (0..<200).map { Double(($0 * 13 + caller * 7 + number) % 590) }
            let y = (0..<200).map { Double(($0 * 29 + number) % 190) }
            let drawing = InkDrawing(
              strokes: [InkStroke(x: x, y: y)], canvas: InkCanvas(width: 600, height: 200))
            let answer = try await render.render(RenderRequest(source: .drawing(drawing)), deadline: .seconds(60))
            #expect(answer.image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            if String(decoding: answer.image.prefix(200), as: UTF8.self).contains("Pillow") {
              count.pillow += 1
            } else {
              count.ours += 1
            }
          }
          return count
        }
      }
      return try await group.reduce(into: (ours: 0, pillow: 0)) {
        $0.ours += $1.ours
        $0.pillow += $1.pillow
      }
    }
    #expect(drawn.ours + drawn.pillow == callers * each)
    // How much that is depends on how fast each draws; both must have had work all along.
    #expect(drawn.pillow >= callers * each / 20 && drawn.ours >= callers * each / 20, "\(drawn)")
    try await connection.close()
    python.send(.terminate)
    #expect(await python.wait() == .code(0), "\(python.logLines)")
  }
}
