import Base
import Bus
import HealthContract
import RPC
import TestSupport
import Testing

/// A peer with a key that sends frame after frame of one message: ZeroMQ keeps them all before a gateway sees any.
@Suite(.serialized) struct EndlessMessageTests {
  @Test(
    "a message without an end makes the gateway give up above its memory limit, and it is started again",
    .timeLimit(.minutes(2)))
  func endlessMessage() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Array("[gateway]\nmemory-limit = 128MiB\n".utf8), to: folder.file("settings"))
    let up = try await RunningProgram.start(
      "assent",
      [
        "up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data"), "--config", folder.file("settings"),
        "--consent", "0", "--signature", "0", "--account", "0",
      ])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let door = folder.file("data/bus/clients")
    let attacker = try await RunningProgram.startPython(["-c", Self.endlessMessage, door])
    _ = try #require(await up.logLine(containing: "memory limit passed"), "\(attacker.logLines)")
    _ = try #require(await up.logLine(containing: "program ended, to be started again"), "\(up.logLines)")
    #expect(await attacker.wait() == .code(0), "\(attacker.logLines)")
    let connection = try await BusConnection.open(.init(gateways: [BusEndpoint("ipc://\(door)")]))
    let health = try await HealthClient(connection.channel).check(
      HealthCheckRequest(), deadline: .seconds(20), options: CallOptions(waitsForReady: true))
    #expect(health.status == .serving)
    try await connection.close()
    up.send(.terminate)
    #expect(await up.wait() == .code(0), "\(up.logLines)")
  }

  /// ZeroMQ's wire protocol written by hand, since its library would not send a message before it is complete.
  ///
  /// The gateway's greeting must be read before the first frame goes out: a frame that comes before a gateway has sent
  /// READY ends the connection. The attack stops at a size that is harmless to any machine, and waits for its effect.
  private static let endlessMessage = """
    import socket, sys
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(60)
    peer.connect(sys.argv[1])
    peer.sendall(b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00" + b"NULL".ljust(20, b"\\0") + bytes(32))
    ready = b"\\x05READY\\x0bSocket-Type" + (6).to_bytes(4, "big") + b"DEALER"
    peer.sendall(bytes([4, len(ready)]) + ready)
    stream = peer.makefile("rb")
    stream.read(64)
    _, size = stream.read(2)
    assert stream.read(size).startswith(b"\\x05READY")
    frame = b"\\x03" + (60000).to_bytes(8, "big") + bytes(60000)
    try:
        for _ in range(3500):
            peer.sendall(frame)
        while stream.read(1):
            pass
    except OSError:
        pass
    """
}
