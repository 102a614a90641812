internal import Base

/// Everything that `assent up` starts, with every default, on ports that are free.
public struct Installation: Sendable, Stoppable {
  public let process: Int32
  /// The ports of the doors for HTTP/1.1 and for gRPC.
  public let web: String
  public let grpc: String
  private let data: String
  private let folder: TemporaryFolder?
  private let up: ChildProcess

  /// - Parameters:
  ///   - data: the folder of its data; nil for a temporary one.
  ///   - environment: further variables for all its programs.
  public static func start(in data: String? = nil, environment: [String: String] = [:]) async throws -> Installation {
    let folder = data == nil ? try TemporaryFolder() : nil
    let data = data ?? folder?.file("data") ?? ""
    let (up, ready) = try await Program.startHeard(
      "assent", ["up", "--data", data, "--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"],
      environment: environment, until: "Ctrl-C")
    guard let web = Program.port(of: "http://", in: ready), let grpc = Program.port(of: "grpc ", in: ready) else {
      throw ProgramError(description: "assent up announced other doors: \(ready)")
    }
    return Installation(process: up.id, web: web, grpc: grpc, data: data, folder: folder, up: up)
  }

  /// The address of the bus's door for clients.
  public var bus: String { "ipc://\(data)/bus/clients" }

  /// Makes an API key of a device.
  public func key(_ name: String) async throws -> String { try await Program.key(name, ["--data", data]) }

  public func stop() async { await up.stop() }
}
