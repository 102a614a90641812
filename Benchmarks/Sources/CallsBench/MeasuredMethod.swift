import ConsentContract
import ConsentLoad
import RPC
import SignatureContract

/// A method that is measured, and which of a traced walk's calls it is.
struct MeasuredMethod: Sendable {
  let id: String
  let descriptor: MethodDescriptor
  /// Its calls in the traced walk, and those that have to be made before them for each walk.
  let calls: Range<Int>
  let preparation: Range<Int>
  /// How many walks callers have: for a second, or to be made again and again.
  let walks: @Sendable (_ inFlight: Int) -> Int
  /// Whether requests are the same in every run, and made again and again.
  let repeats: Bool
  /// Makes walks of requests for a system.
  let requests: @Sendable (CallsSystem, _ count: Int) async throws -> [[Request]]

  var name: String { descriptor.name }
  var changes: Bool { descriptor.idempotency == .unknown }

  static let all: [MeasuredMethod] = [
    MeasuredMethod(
      id: "check", descriptor: RecordServiceMethods.checkConsent, calls: 7..<8, preparation: 7..<7, walks: { _ in 96 },
      repeats: true
    ) { _, count in try (0..<count).map { [try Request(DeviceCalls.check($0))] } },
    MeasuredMethod(
      id: "start", descriptor: SessionServiceMethods.startSession, calls: 0..<1, preparation: 0..<0,
      walks: { _ in 16 }, repeats: true
    ) { _, count in try [[Request]](repeating: [Request(DeviceCalls.start)], count: count) },
    MeasuredMethod(
      id: "act", descriptor: SessionServiceMethods.actOnSession, calls: 1..<7, preparation: 0..<1,
      walks: { $0 == 1 ? 250 : 500 }, repeats: false
    ) { system, count in
      try await system.each(of: count) { device in
        let session = try await device.startedSession()
        return try device.steps(of: session).map { try Request($0) }
      }
    },
    MeasuredMethod(
      id: "save", descriptor: SignatureServiceMethods.saveField, calls: 11..<12, preparation: 8..<11,
      walks: { $0 == 1 ? 600 : 1200 }, repeats: false
    ) { system, count in
      try await system.each(of: count) { device in [try Request(device.saving(try await device.drawnField()))] }
    },
    MeasuredMethod(
      id: "get", descriptor: SignatureServiceMethods.getField, calls: 12..<13, preparation: 8..<12, walks: { _ in 96 },
      repeats: true
    ) { system, count in
      try await system.each(of: count) { device in [try Request(device.getting(try await device.savedField()))] }
    },
    MeasuredMethod(
      id: "render", descriptor: RenderServiceMethods.render, calls: 13..<14, preparation: 13..<13,
      walks: { $0 == 1 ? 1500 : 3000 }, repeats: false
    ) { system, count in try (0..<count).map { _ in [try Request(DeviceCalls.picture(system.pictures.next()))] } },
  ]
}
