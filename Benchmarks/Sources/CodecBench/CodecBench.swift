internal import Base
internal import BenchKit
internal import InteropContract
internal import Wire

/// Messages to bytes and back: binary and JSON, against other implementations of protobuf.
@main struct CodecBench {
  static func main() async {
    await Bench.run("codec") { bench in
      let mixed = try Fixtures.mixed.encoded()
      let packed = try Fixtures.packed.encoded()
      let json = try Fixtures.mixed.json()
      let folder = Repository.path(".build/bench/codec")
      try Files.makeFolder(folder)
      try Files.write(mixed, to: "\(folder)/mixed.binpb")
      try Files.write(packed, to: "\(folder)/packed.binpb")
      print("mixed message: \(mixed.count) bytes, \(json.count) as JSON; packed: \(packed.count) bytes")
      guard try MixedMessage(decoding: mixed) == Fixtures.mixed, try MixedMessage(json: json) == Fixtures.mixed,
        try PackedFloats(decoding: packed) == Fixtures.packed
      else { throw OtherMessage() }
      let peers = try await CodecPeers(folder: folder)
      await bench.compare(
        "mixed_encode", "a mixed message to bytes", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try Fixtures.mixed.encoded()) } },
        peers: peers.binary("mixed_encode"))
      await bench.compare(
        "mixed_decode", "a mixed message from bytes", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try MixedMessage(decoding: mixed).active) } },
        peers: peers.binary("mixed_decode"))
      await bench.compare(
        "packed_encode", "10,000 floats to bytes", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try Fixtures.packed.encoded()) } },
        peers: peers.binary("packed_encode"))
      await bench.compare(
        "packed_decode", "10,000 floats from bytes", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try PackedFloats(decoding: packed)) } },
        peers: peers.binary("packed_decode"))
      await bench.compare(
        "json_encode", "a mixed message to JSON", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try Fixtures.mixed.json()) } },
        peers: ["json_format": { try await peers.python.measure("json_encode") }])
      await bench.compare(
        "json_decode", "a mixed message from JSON", unit: .nanoseconds,
        ours: { try nanosecondsPerOperation { blackHole(try MixedMessage(json: json).active) } },
        peers: ["json_format": { try await peers.python.measure("json_decode") }])
      try await InProcessCalls.measure(&bench)
    }
  }
}

private struct OtherMessage: Error, CustomStringConvertible {
  var description: String { "what was encoded is decoded as something else" }
}
