import Base
import Generator
import TestSupport

/// A proto file written in a test and parsed by the real protoc.
enum ProtoSource {
  static func descriptors(_ text: String, name: String = "test/v1/test.proto") async throws -> DescriptorSet {
    try DescriptorSet(decoding: try await encodedDescriptors([name: text]))
  }

  static func encodedDescriptors(_ files: [String: String]) async throws -> [UInt8] {
    let folder = try TemporaryFolder(named: "proto")
    for (name, text) in files {
      let path = folder.file(name)
      if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
      try Files.write(Array(text.utf8), to: path)
    }
    let output = folder.file("set.binpb")
    let arguments =
      ["-I\(folder.path)", "-I\(Repository.path("proto"))", "-I/usr/include", "--include_imports"]
      + ["--include_source_info", "--descriptor_set_out=\(output)"] + files.keys.sorted()
    let exit = await (try ChildProcess.start(ChildCommand("protoc", arguments))).wait()
    guard exit.isSuccess else { throw GeneratorError("protoc \(exit)") }
    return try Files.read(output)
  }
}
