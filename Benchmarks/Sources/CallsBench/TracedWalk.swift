import Base
import BenchKit
import ConsentContract
import ConsentLoad
import RPC
import Replay
import SignatureContract

/// What the services execute for the calls that are measured and for those that prepare them, as a device makes them
/// one after the other: a walk of fourteen calls.
enum TracedWalk {
  /// Periodic work now and then executes something meanwhile, so more walks are made than the two that are compared.
  private static let walks = 10
  /// What a call leaves to be done is done by then.
  private static let pause = Duration.milliseconds(30)
  /// From here on calls are SignatureService's.
  static let firstOfSignatures = 8

  /// Returns the data of a walk as C, in a file.
  ///
  /// - Parameter data: the folder of the services' data.
  static func record(_ database: TracedDatabase, _ engine: String, in data: String) async throws -> String {
    var recorder = Recorder(database)
    let system = try await CallsSystem.start(in: data, environment: database.environment, people: 1)
    try await system.lend { system in
      // The first one makes what is made only once.
      for number in -1..<walks {
        if number == 0 { try await system.untilIdle() }
        recorder.beginWalk()
        try await walk(system, &recorder)
      }
    }
    try await database.end()
    let replayed = try ReplayedWalk(tracedIn: Array(try recorder.walks().dropFirst()))
    let path = try Peer.writeData(replayed.source, named: "calls_\(engine)")
    let counts = replayed.calls.map { "\($0.count)" }.joined(separator: ", ")
    print("the peer on \(engine) executes \(counts) statements in its calls, which \(path) lists")
    return path
  }

  private static func walk(_ system: CallsSystem, _ recorder: inout Recorder) async throws {
    let device = system.devices[0]
    let session = try await recorder.call { try await device.startedSession() }
    for step in device.steps(of: session) {
      try await recorder.call { try await device.send(SessionServiceMethods.actOnSession, step) }
    }
    // What is asked for the first time is read, and kept for who asks again.
    let check = DeviceCalls.check(0)
    try await device.send(RecordServiceMethods.checkConsent, check)
    try await recorder.call { try await device.send(RecordServiceMethods.checkConsent, check) }
    let field = try await recorder.call { try await device.createdField() }
    let tapped = try await recorder.call { try await device.tapped(field) }
    let drawn = try await recorder.call { try await device.drawn(tapped) }
    try await recorder.call { try await device.send(SignatureServiceMethods.saveField, device.saving(drawn)) }
    let get = device.getting(field)
    try await device.send(SignatureServiceMethods.getField, get)
    try await recorder.call { try await device.send(SignatureServiceMethods.getField, get) }
    let picture = DeviceCalls.picture(system.pictures.next())
    try await recorder.call { try await device.send(RenderServiceMethods.render, picture) }
  }

  /// Notes which parts of the traces are each call's.
  private struct Recorder {
    private let database: TracedDatabase
    private let paths: [String]
    private var parts: [[[Range<Int>]]] = []

    init(_ database: TracedDatabase) {
      self.database = database
      // Both services may be in one trace.
      paths = Set(["consent", "signature"].map { database.trace(of: $0) }).sorted()
    }

    mutating func beginWalk() { parts.append([]) }

    @discardableResult
    mutating func call<Answer>(_ make: () async throws -> Answer) async throws -> Answer {
      try await Task.sleep(for: TracedWalk.pause)
      let before = try paths.map { try Files.read($0).count }
      let answer = try await make()
      let after = try paths.map { try Files.read($0).count }
      parts[parts.count - 1].append(zip(before, after).map { $0..<$1 })
      return answer
    }

    /// The statements of each call of each walk.
    func walks() throws -> [[[TracedStatement]]] {
      let traces = try paths.map { try Files.read($0) }
      return try parts.map { walk in
        try walk.map { call in
          let all = try zip(traces, call).flatMap { try database.transactions(in: lines($1, of: $0)) }
          let changes = all.changes
          return (changes.isEmpty ? all : changes).flatMap(\.self)
        }
      }
    }

    /// The lines that begin in a part of a trace. A line that was being written when the trace was read is found half.
    private func lines(_ part: Range<Int>, of trace: [UInt8]) -> [UInt8] {
      func end(after place: Int) -> Int {
        guard place > 0, trace[place - 1] != UInt8(ascii: "\n") else { return place }
        return trace[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? trace.count
      }
      return Array(trace[end(after: part.lowerBound)..<end(after: part.upperBound)])
    }
  }
}
