import Base
import BenchKit
import InteropContract
import Wire

/// Calls by POST, 64 in flight on as many connections.
enum ConnectCases {
  static let rows = ["connect_proto", "connect_json"]

  static func measure(_ bench: inout Bench, _ system: HttpSystem) async {
    let folder = system.folder
    let gateway = client(of: system)
    let hello = load(folder, "hello")
    let nginx = load(folder, "nginx")
    await bench.compare(
      "connect_proto", "128-byte calls in protobuf, 64 in flight", unit: .perSecond,
      ours: { try await gateway.measure("proto128") },
      peers: [
        "mhd_hello": { try await hello.measure("proto128") },
        "nginx_proxy": { try await nginx.measure("proto128") },
      ])
    let translator = load(folder, "grpc_gateway", GoGateway.program, before: [GoGateway.generate, GoGateway.build])
    await bench.compare(
      "connect_json", "1 KB calls in JSON, 64 in flight", unit: .perSecond,
      ours: { try await gateway.measure("json1k") },
      peers: [
        "connect_proto": { try await gateway.measure("proto1k") },
        "grpc_gateway": { try await translator.measure("json1k") },
      ])
  }

  /// A client over HTTP/1.1 of this gateway.
  static func client(of system: HttpSystem) -> Peer { load(system.folder, "gateway", system.web, system.key) }

  private static func load(_ folder: TemporaryFolder, _ arguments: String..., before: [ChildCommand] = []) -> Peer {
    .compiled(
      "http/http_load.cc", flags: ["-lmicrohttpd"], arguments: [folder.path] + arguments, before: before)
  }

  /// What clients over HTTP/1.1 send: a small request, and one of about 1 KB in both forms, a record with texts,
  /// numbers and a list.
  static func writeBodies(to folder: TemporaryFolder) throws {
    var small = IdempotentUnaryCallRequest(payload: Payload(body: [UInt8](repeating: 7, count: 128)))
    small.responseSize = 128
    try Files.write(try small.encoded(), to: folder.file("proto128"))
    var message = MixedMessage(id: "0190a5b2-7c1d-7e4f-9a3b-5c6d7e8f9a0b")
    message.revision = 42
    message.roles = ["investigator", "coordinator", "inspector"]
    message.notes = ["en": "Signed on the second visit, in the presence of a witness."]
    message.items = (0..<8).map { number in
      var item = MixedMessage.Item(id: "section-\(number)", title: "What participation means for you, part \(number)")
      item.count = UInt32(17 * number)
      item.enabled = number.isMultiple(of: 2)
      item.kind = .first
      item.position = MixedMessage.Point(x: 12.5, y: Float(number), timeMs: 1500)
      return item
    }
    let request = EchoMixedRequest(message: message)
    try Files.write(try request.encoded(), to: folder.file("proto1k"))
    try Files.write(try request.json(), to: folder.file("json1k"))
  }
}

/// Debian's grpc-gateway before a server of gRPC in Go.
private enum GoGateway {
  private static let folder = Repository.path(".build/bench/go")
  static let program = "\(folder)/grpc_gateway"

  private static let packages = [
    "assent/options.proto=assent",
    "google/protobuf/descriptor.proto=github.com/golang/protobuf/protoc-gen-go/descriptor",
    "google/protobuf/duration.proto=github.com/golang/protobuf/ptypes/duration",
    "google/protobuf/timestamp.proto=github.com/golang/protobuf/ptypes/timestamp",
  ].map { "M\($0)" }.joined(separator: ",")

  static let generate = ChildCommand(
    "sh",
    [
      "-ec",
      """
      mkdir -p \(folder)/src
      cd \(Repository.path("proto"))
      protoc -I. --go_out=plugins=grpc,\(packages):\(folder)/src \
        --grpc-gateway_out=logtostderr=true,\(packages),\
      grpc_api_configuration=\(Repository.path("Benchmarks/Peers/http/grpc_gateway.yaml")):\(folder)/src \
        assent/interop/v1/interop.proto
      protoc -I. --go_out=\(packages):\(folder)/src assent/options.proto
      """,
    ])

  static let build = ChildCommand(
    "env",
    [
      "GO111MODULE=off", "GOFLAGS=", "GOPATH=\(folder):/usr/share/gocode", "GOCACHE=\(folder)/cache", "go", "build",
      "-o", program, Repository.path("Benchmarks/Peers/http/grpc_gateway.go"),
    ])
}
