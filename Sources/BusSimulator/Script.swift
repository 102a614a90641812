internal import Base
internal import RPC

/// One call, planned before it is made: what its caller does, and what its handler does.
struct Script {
  let id: Int
  let method: MethodDescriptor
  /// Empty for calls that may be repeated only if the method says so.
  var key = ""
  /// A nested mutation whose caller has a key gets one from it.
  var derivesKey = false
  var deadline = Duration.seconds(2)
  var waitsForReady = false
  var cancelAfter: Duration?
  /// The caller resets the call once so many answers have come.
  var resetAfter: Int?
  /// The caller reads so many answers, and then none.
  var stopsReadingAfter: Int?
  var requestSizes = [16]
  var answerSizes = [16]
  /// The caller's pause between two requests, and before it reads an answer.
  var callerPause = Duration.zero
  /// The handler's pause before each of its steps.
  var handlerPause = Duration.milliseconds(1)
  /// How long the handler reacts to nothing after it has begun.
  var wedge = Duration.zero
  /// The calls that the handler makes, by the numbers of their scripts.
  var nested: [Int] = []
  /// How often the handler ends UNAVAILABLE before it succeeds.
  var unavailableTries = 0
  var outcome = StatusCode.ok

  /// Whether the call changes something, so that it matters how often it runs.
  var changesSomething: Bool { method.idempotency != .noSideEffects }

  /// Whether it must not run twice, whatever happens.
  var mustNotRepeat: Bool { !isKeyed && method.idempotency == .unknown }

  var isKeyed: Bool { !key.isEmpty || derivesKey }

  func request(_ index: Int) -> [UInt8] { pattern(index, direction: 1, size: requestSizes[index]) }
  func answer(_ index: Int) -> [UInt8] { pattern(index, direction: 2, size: answerSizes[index]) }

  /// Bytes that occur only at this place of this call.
  private func pattern(_ index: Int, direction: UInt8, size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: id &* 31 &+ index &* 7), count: size)
    let mark = [
      UInt8(truncatingIfNeeded: id), UInt8(truncatingIfNeeded: id >> 8), direction, UInt8(truncatingIfNeeded: index),
    ]
    for place in 0..<min(size, mark.count) { bytes[place] = mark[place] }
    return bytes
  }
}

/// What the simulated services offer: each all four kinds of call, and unary calls of every idempotency.
enum Contract {
  static func service(_ number: Int) -> String { "sim.v1.Service\(number)" }

  static func methods(of number: Int) -> [MethodDescriptor] {
    [
      method(number, "Change", .unary, .unknown), method(number, "Put", .unary, .idempotent),
      method(number, "Get", .unary, .noSideEffects), method(number, "Watch", .serverStreaming, .noSideEffects),
      method(number, "Upload", .clientStreaming, .unknown), method(number, "Talk", .bidirectionalStreaming, .unknown),
    ]
  }

  private static func method(
    _ number: Int, _ name: String, _ kind: MethodDescriptor.Kind, _ idempotency: MethodDescriptor.Idempotency
  ) -> MethodDescriptor {
    MethodDescriptor(service: service(number), name: name, kind: kind, idempotency: idempotency, permissions: .anyone)
  }
}
