import Base
import Bus
import InteropContract
import RPC
import Synchronization
import TestSupport
import Wire

/// A program that calls one gateway over HTTP and gRPC without pause.
struct SteadyCaller: Sendable {
  /// How one call ended.
  struct Outcome: CustomStringConvertible {
    let door: String
    let kind: String
    let began: MonotonicTime
    let ended: MonotonicTime
    let code: String

    func overlaps(_ outage: Outage) -> Bool { began <= outage.ended && ended >= outage.began }

    var description: String {
      "\(door) \(kind) from \(began.nanoseconds / 1_000_000) to \(ended.nanoseconds / 1_000_000) ms: \(code)"
    }
  }

  private let process: ChildProcess
  private let lines: AsyncStream<String>

  static func start(_ arguments: [String]) async throws -> SteadyCaller {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    var command = ChildCommand(
      Repository.python, [Repository.path("Tests/Fixtures/doors/steady.py")] + arguments)
    command.environment["PYTHONDONTWRITEBYTECODE"] = .some("1")
    command.input = .written
    command.output = .lines { continuation.yield($0) }
    command.whenEnded = { _ in continuation.finish() }
    let caller = SteadyCaller(process: try await ChildProcess.start(command), lines: lines)
    for await line in lines where line == "calling" { return caller }
    throw SteadyFailure("the caller ended at once")
  }

  func end() async throws -> [Outcome] {
    process.closeInput()
    var outcomes: [Outcome] = []
    for await line in lines {
      let words = line.split(separator: " ")
      guard words.count == 5, let began = Int64(words[2]), let ended = Int64(words[3]) else {
        throw SteadyFailure("an unexpected line: \(line)")
      }
      outcomes.append(
        Outcome(
          door: String(words[0]), kind: String(words[1]), began: MonotonicTime(nanoseconds: began),
          ended: MonotonicTime(nanoseconds: ended), code: String(words[4])))
    }
    return outcomes
  }
}

/// Calls over the bus without pause, with keys.
final class SteadyBusCaller: Sendable {
  private let connection: BusConnection
  private let isOver: Over
  private let task: Task<(answers: Int, failures: [Status]), Never>

  private final class Over: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  init(_ connection: BusConnection) {
    self.connection = connection
    let isOver = Over()
    self.isOver = isOver
    task = Task {
      let client = InteropServiceClient(connection.channel)
      var (answers, failures): (Int, [Status]) = (0, [])
      while !isOver.isSet {
        do throws(Status) {
          var request = UnaryCallRequest()
          request.sleepMs = 3
          _ = try await client.unaryCall(request, deadline: .seconds(60))
          answers += 1
        } catch {
          failures.append(error)
        }
      }
      return (answers, failures)
    }
  }

  func end() async throws -> (answers: Int, failures: [Status]) {
    isOver.set()
    let outcome = await task.value
    try await connection.close()
    return outcome
  }
}

private struct SteadyFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
