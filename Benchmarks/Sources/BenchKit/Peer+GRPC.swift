internal import Base

extension Peer {
  /// gRPC C++ with the interoperability service of the contract: a client with its worker, or the client alone.
  ///
  /// - Parameter arguments: as `Benchmarks/Peers/bus/grpc_echo.cc` says.
  public static func grpc(_ arguments: String...) -> Peer {
    let output = Repository.path(".build/bench/peers")
    let files = ["assent/options", "assent/interop/v1/interop"]
    let generate = ChildCommand(
      "sh",
      [
        "-c",
        "protoc -I\(Repository.path("proto")) --cpp_out=\(output) --grpc_out=\(output) "
          + "--plugin=protoc-gen-grpc=$(command -v grpc_cpp_plugin) \(files[0]).proto \(files[1]).proto",
      ])
    return compiled(
      "bus/grpc_echo.cc", with: files.map { "\(output)/\($0).pb.cc" } + ["\(output)/\(files[1]).grpc.pb.cc"],
      flags: ["-lgrpc++", "-lgrpc", "-lgpr", "-lprotobuf", "-labsl_synchronization", "-lpthread"],
      arguments: arguments, before: [generate])
  }
}
