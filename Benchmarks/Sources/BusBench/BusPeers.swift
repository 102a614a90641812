import Base
import BenchKit

/// The peers of the bus: programs of our own around other people's libraries and servers.
struct BusPeers {
  let proxy = Peer.compiled("bus/zmq_proxy.cc", flags: ["-lzmq"], arguments: ["plain"])
  let encryptedProxy = Peer.compiled("bus/zmq_proxy.cc", flags: ["-lzmq"], arguments: ["curve"])
  let grpc = Self.grpc("direct")
  let nginx = Self.grpc("nginx")
  let encryptedNginx = Self.grpc("nginx_tls")
  let nats = Peer.compiled("bus/nats_echo.cc", flags: ["-lnats"])

  private static func grpc(_ mode: String) -> Peer {
    let source = Repository.path("Benchmarks/Peers/bus")
    let output = Repository.path(".build/bench/peers")
    let generate = ChildCommand(
      "sh",
      [
        "-c",
        "protoc -I\(source) --cpp_out=\(output) --grpc_out=\(output) "
          + "--plugin=protoc-gen-grpc=$(command -v grpc_cpp_plugin) echo.proto",
      ])
    return Peer.compiled(
      "bus/grpc_echo.cc", with: ["\(output)/echo.pb.cc", "\(output)/echo.grpc.pb.cc"],
      flags: ["-lgrpc++", "-lgrpc", "-lgpr", "-lprotobuf", "-labsl_synchronization", "-lpthread"],
      arguments: [mode], before: [generate])
  }
}
