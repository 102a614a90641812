public import Base

/// Another implementation, as a program of ours in `Benchmarks/Peers`: it measures on request, and runs until nobody
/// holds this any more.
///
/// Its protocol is one line each way: it reads the name of a case, measures it, and answers with the figure, or with a
/// word that says why it cannot. `Benchmarks/Peers/bench.h` and `bench.py` implement it.
public actor Peer {
  private let name: String
  private let build: [ChildCommand]
  private let command: ChildCommand
  private var running: Running?
  private var failure: PeerError?
  /// Where peers are compiled, and what they are compiled from.
  private static let folder = Repository.path(".build/bench/peers")
  /// The longest that a peer may take for a figure.
  private static let patience = Duration.seconds(180)

  private struct Running {
    let process: ChildProcess
    var answers: AsyncStream<String>.Iterator
  }

  private init(name: String, build: [ChildCommand], command: ChildCommand) {
    self.name = name
    self.build = build
    self.command = command
  }

  /// A peer in C (`.c`) or C++ (`.cc`) at `Benchmarks/Peers/<source>`, compiled with the flags that its library needs.
  ///
  /// - Parameters:
  ///   - sources: further sources, such as those that `before` generates into `.build/bench/peers`.
  ///   - arguments: the program's arguments, for a source that contains several peers.
  public static func compiled(
    _ source: String, with sources: [String] = [], flags: [String] = [], arguments: [String] = [],
    before: [ChildCommand] = []
  ) -> Peer {
    let compiler = source.hasSuffix(".c") ? ["gcc", "-std=gnu11"] : ["g++", "-std=gnu++17"]
    let peers = Repository.path("Benchmarks/Peers")
    let program = "\(folder)/\(source.replacing("/", with: "-"))"
    let options = ["-O2", "-I\(peers)", "-I\(folder)", "-o", program, "\(peers)/\(source)"]
    let compile = ChildCommand(compiler[0], compiler.dropFirst() + options + sources + flags)
    return Peer(
      name: ([source] + arguments).joined(separator: " "),
      build: [ChildCommand("mkdir", ["-p", folder])] + before + [compile], command: ChildCommand(program, arguments))
  }

  /// Writes data as a C source, for peers to include.
  ///
  /// - Returns: its path.
  public static func writeData(_ source: String, named name: String) throws -> String {
    try Files.makeFolder(folder)
    let path = "\(folder)/\(name).h"
    try Files.write(Array(source.utf8), to: path)
    return path
  }

  /// A peer in Python at `Benchmarks/Peers/<source>`, which runs in the project's own environment.
  public static func python(_ source: String) -> Peer {
    let peers = Repository.path("Benchmarks/Peers")
    var command = ChildCommand(Repository.path(".build/venv/bin/python"), ["\(peers)/\(source)"])
    command.environment["PYTHONPATH"] = peers
    return Peer(name: source, build: [], command: command)
  }

  /// Has the peer measure `test` once.
  public func measure(_ test: String) async throws -> Double {
    if let failure { throw failure }
    do throws(PeerError) {
      return try await ask(test)
    } catch {
      if error.isFatal { failure = error }
      throw error
    }
  }

  private func ask(_ test: String) async throws(PeerError) -> Double {
    if running == nil { running = try await start() }
    guard var peer = running else { throw PeerError("\(name) does not run", isFatal: true) }
    let process = peer.process
    do { try process.write(test + "\n") } catch { throw PeerError("\(name): \(error)", isFatal: true) }
    // A peer that waits for an answer that never comes would wait for ever.
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      process.send(.kill)
    }
    let answer = await peer.answers.next(isolation: self)
    patience.cancel()
    running = peer
    guard let answer else {
      throw PeerError("\(name) \(await peer.process.wait()) without an answer to '\(test)'", isFatal: true)
    }
    guard let figure = Double(answer), figure.isFinite, figure >= 0 else {
      throw PeerError("\(name): \(answer)", isFatal: false)
    }
    return figure
  }

  private func start() async throws(PeerError) -> Running {
    do {
      for step in await Builds.shared.missing(build) {
        let exit = await (try ChildProcess.start(step)).wait()
        guard exit.isSuccess else { throw PeerError("\(step.program) \(exit) for \(name)", isFatal: true) }
      }
      let (answers, continuation) = AsyncStream<String>.makeStream()
      var command = command
      command.input = .written
      command.output = .lines { continuation.yield($0) }
      command.whenEnded = { _ in continuation.finish() }
      let process = try await ChildProcess.start(command)
      return Running(process: process, answers: answers.makeAsyncIterator())
    } catch {
      throw PeerError("\(error)", isFatal: true)
    }
  }
}

/// Why a peer has no figure.
public struct PeerError: Error, CustomStringConvertible {
  public let description: String
  let isFatal: Bool

  init(_ description: String, isFatal: Bool) {
    self.description = description
    self.isFatal = isFatal
  }
}

/// The steps that were taken in this run: several peers may come from one source.
private actor Builds {
  static let shared = Builds()
  private var done: Set<[String]> = []

  func missing(_ steps: [ChildCommand]) -> [ChildCommand] {
    steps.filter { done.insert([$0.program] + $0.arguments).inserted }
  }
}
