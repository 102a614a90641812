internal import Base
internal import BenchKit

/// A clone of the repository in a temporary folder, to be built from clean.
struct Clone {
  private let folder: String

  /// Makes a clone for `body`, and removes it afterwards, also after an error.
  static func lend(_ body: (Clone) async throws -> Void) async throws {
    let made = try await ChildProcess.output(of: ChildCommand("mktemp", ["-d", "/var/tmp/assent-build-XXXXXX"]))
    guard made.exit.isSuccess, let folder = made.lines.first else {
      throw BuildError(description: "mktemp \(made.exit)")
    }
    let clone = Clone(folder: "\(folder)/assent")
    do {
      try await clone.run("git", ["clone", "--quiet", Repository.path("."), clone.folder], in: "/")
      try await body(clone)
    } catch {
      try await clone.run("rm", ["-rf", folder], in: "/")
      throw error
    }
    try await clone.run("rm", ["-rf", folder], in: "/")
  }

  /// Runs scripts/run, and stops it when the last service is ready.
  func runUntilReady() async throws {
    let (lines, said) = AsyncStream<String>.makeStream()
    var command = ChildCommand("\(folder)/scripts/run", ["--data", "\(folder)/data"])
    command.directory = folder
    command.output = .lines { said.yield($0) }
    command.whenParentDies = .terminate
    let process = try await ChildProcess.start(command)
    Task {
      await process.wait()
      said.finish()
    }
    var isReady = false
    for await line in lines {
      print("  \(line)")
      if line.hasPrefix("✓ account") {
        isReady = true
        break
      }
    }
    await process.stop(grace: .seconds(30))
    guard isReady else { throw BuildError(description: "scripts/run ended before all was ready") }
  }

  func build() async throws {
    try await run("bash", ["-c", "source scripts/lib/shell && build_release"], in: folder)
  }

  func generate() async throws {
    try await run("scripts/generate", [], in: folder)
  }

  func test() async throws {
    try await run("scripts/test", [], in: folder)
  }

  /// Restores the state after cloning, with nothing built.
  func restore() async throws {
    try await run("git", ["checkout", "--quiet", "."], in: folder)
    try await run("rm", ["-rf", ".build", "data"], in: folder)
  }

  /// Changes a source file, as work on a handler does: the compiler makes other code of it.
  func appendFunction(to path: String) throws {
    try append("\n/// Measures the build.\nfunc measuredBuild(_ number: Int) -> Int { number * 42 }\n", to: path)
  }

  /// Changes a proto file, as work on a contract does.
  func addMessage(to path: String) throws {
    try append("\n// Measures the build.\nmessage MeasuredBuild {\n  // A number.\n  int32 number = 1;\n}\n", to: path)
  }

  private func append(_ text: String, to path: String) throws {
    let file = "\(folder)/\(path)"
    try Files.write(try Files.read(file) + Array(text.utf8), to: file)
  }

  private func run(_ program: String, _ arguments: [String], in directory: String) async throws {
    var command = ChildCommand(program.contains("/") ? "\(directory)/\(program)" : program, arguments)
    command.directory = directory
    let exit = await (try ChildProcess.start(command)).wait()
    guard exit.isSuccess else {
      throw BuildError(description: "\(program) \(arguments.joined(separator: " ")): \(exit)")
    }
  }
}

struct BuildError: Error, CustomStringConvertible {
  let description: String
}
