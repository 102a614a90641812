internal import Base
internal import RPC

/// A caller at a door of another protocol, as a browser or a client of gRPC is: it has several calls at a time over one
/// connection, resets some of them, stops reading others, and may go away with all of them at once.
final class PassingClient {
  private unowned let part: CallingPart
  private var calls: [ScriptedCall] = []

  init(part: CallingPart) {
    self.part = part
  }

  /// - Parameter leavesAfter: when its connection is lost; nil: it stays until all its calls have ended.
  func visit(_ scripts: [Script], leavesAfter: Duration?) {
    for script in scripts {
      let call = ScriptedCall(script: script, part: part)
      calls.append(call)
      call.begin(key: script.key)
    }
    guard let leavesAfter else { return }
    part.node.plan(after: leavesAfter) { self.leave() }
  }

  private func leave() {
    for call in calls { call.cancel() }
    calls = []
  }
}

extension ScriptWriter {
  /// The calls of a visitor. Their streams are long enough to fill the window of a caller that does not read.
  mutating func writeVisit(using chance: inout Chance) -> [Script] {
    (0..<chance.number(1...6)).map { _ in
      let number = write(using: &chance)
      var script = scripts[number]
      if chance.happens(0.3) { script.resetAfter = chance.number(0...3) }
      if chance.happens(0.3) { script.stopsReadingAfter = chance.number(0...3) }
      if script.method.kind.serverStreams, chance.happens(0.5) {
        script.answerSizes = (0..<chance.number(10...60)).map { _ in chance.number(1_000...40_000) }
      }
      replace(script)
      return script
    }
  }
}
