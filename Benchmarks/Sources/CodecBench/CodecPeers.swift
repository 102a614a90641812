internal import Base
internal import BenchKit

/// The other implementations, built from the same contract.
struct CodecPeers {
  let python = Peer.python("codec/pypi_protobuf.py")
  private let c: Peer
  private let cpp: Peer

  init(folder: String) async throws {
    let generated = Repository.path("Sources/CWire")
    c = Peer.compiled(
      "codec/protobuf_c.c",
      flags: [
        "-I\(generated)/Interop/include", "-I\(generated)/Google/include",
        "\(generated)/Interop/assent/interop/v1/interop.pb-c.c",
        "\(generated)/Google/google/protobuf/timestamp.pb-c.c", "\(generated)/Google/google/protobuf/duration.pb-c.c",
        "-lprotobuf-c",
      ])

    let output = "\(folder)/cpp"
    try Files.makeFolder(output)
    let proto = Repository.path("proto")
    let protos = ["assent/options.proto", "assent/interop/v1/interop.proto"]
    let protoc = ChildCommand("protoc", ["-I\(proto)", "-I/usr/include", "--cpp_out=\(output)"] + protos)
    let exit = await (try ChildProcess.start(protoc)).wait()
    if !exit.isSuccess { print("– protoc \(exit): there is no C++ to compare with") }
    cpp = Peer.compiled(
      "codec/protobuf_cpp.cc",
      flags: [
        "-I\(output)", "\(output)/assent/options.pb.cc", "\(output)/assent/interop/v1/interop.pb.cc", "-lprotobuf",
      ])
  }

  func binary(_ test: String) -> KeyValuePairs<String, Bench.Measurement> {
    [
      "protobuf_c": { try await c.measure(test) }, "protobuf_cpp": { try await cpp.measure(test) },
      "upb_python": { try await python.measure(test) },
    ]
  }
}
