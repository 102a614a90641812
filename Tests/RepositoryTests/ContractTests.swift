import Base
import Generator
import TestSupport
import Testing

/// proto/ itself, and what is generated from it.
@Suite("The contract in proto/")
struct ContractTests {
  @Test("follows the rules: every declaration explained, no type inside itself, nothing that protoc-c refuses")
  func rules() async throws {
    let folder = try TemporaryFolder(named: "contract")
    let set = try DescriptorSet(decoding: try await compile(into: folder))
    #expect(set.files.count > 4)
    for violation in ContractRules.violations(in: set) { Issue.record("proto: \(violation)") }
  }

  /// After a release, `proto/released.binpb` becomes a copy of `proto/assent.binpb`.
  @Test("breaks nothing that was released")
  func compatibility() throws {
    let released = try DescriptorSet(decoding: try Files.read(Repository.path("proto/released.binpb")))
    let current = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    for change in Compatibility.breakingChanges(from: released, to: current) { Issue.record("proto: \(change)") }
  }

  @Test("the released set is empty while the changelog has no release")
  func released() throws {
    let released = try DescriptorSet(decoding: try Files.read(Repository.path("proto/released.binpb")))
    let changelog = String(decoding: try Files.read(Repository.path("CHANGELOG.md")), as: UTF8.self)
    let versions = changelog.split(separator: "\n").filter { $0.hasPrefix("## ") }
    let hasRelease = versions.contains { !$0.hasSuffix("unreleased") }
    #expect(released.files.isEmpty != hasRelease, "at a release: cp proto/assent.binpb proto/released.binpb")
  }

  @Test("generated files are what scripts/generate writes now")
  func freshness() async throws {
    let folder = try TemporaryFolder(named: "generated")
    var command = ChildCommand(
      Repository.path("scripts/generate"),
      ["--into", folder.path, "--generator", Products.program("assent-generate")])
    command.output = .discarded
    let exit = await (try ChildProcess.start(command)).wait()
    #expect(exit.isSuccess)
    let modules =
      ["Sources/Wire"] + (try Files.names(in: Repository.path("Sources/Contracts"))).map { "Sources/Contracts/\($0)" }
    let folders = modules.flatMap { ["\($0)/Generated", "\($0)/Native/Generated"] }
    let packages = try Files.names(in: Repository.path("proto/assent")).filter { !$0.hasSuffix(".proto") }
    let clients =
      packages.map { "clients/python/assent/\($0)/v1" }
      + ["options_pb2.py", "options_pb2.pyi", "contract.binpb"].map { "clients/python/assent/\($0)" }
      + ["clients/typescript/src/contract"]
    let others = ["Sources/CWire", "proto/assent.binpb", "docs/api", "docs/authorization.md"]
    for place in folders + others + clients {
      // The examples are written by hand.
      let difference = try await ChildProcess.output(
        of: ChildCommand(
          "diff", ["-rq", "--exclude=examples", "--exclude=__pycache__", Repository.path(place), folder.file(place)]))
      #expect(difference.exit.isSuccess, "run scripts/generate: \(difference.lines.joined(separator: "; "))")
    }
  }

  private func compile(into folder: TemporaryFolder) async throws -> [UInt8] {
    let output = folder.file("set.binpb")
    let proto = Repository.path("proto")
    let listing = try await ChildProcess.output(of: ChildCommand("find", [proto, "-name", "*.proto"]))
    let arguments =
      ["-I\(proto)", "-I/usr/include", "--include_imports", "--include_source_info", "--descriptor_set_out=\(output)"]
    let exit = await (try ChildProcess.start(ChildCommand("protoc", arguments + listing.lines))).wait()
    try #require(exit.isSuccess)
    return try Files.read(output)
  }
}
