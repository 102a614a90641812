internal import RPC
package import Wire

/// Collects the envelopes that go out in one turn, and puts those for one peer into as few messages as possible.
///
/// Each message costs both ends some thousand instructions, wakes a thread on its way and, over CURVE, is sealed by
/// itself. So envelopes that are ready at the same time share one.
package struct OutgoingMessages<Destination: Equatable> {
  private var writers: [(destination: Destination, writer: MessageWriter)] = []
  /// How many writers are used in this turn.
  private var count = 0

  package init() {}

  /// Appends an envelope to those for its destination. Full messages are sent at once.
  ///
  /// Throws when the envelope cannot be encoded. If it was a STATUS, another one with `INTERNAL` is sent in its place,
  /// because its call would have no outcome otherwise.
  package mutating func add(
    _ envelope: Envelope, for destination: Destination, send: (EnvelopeFrames, Destination) -> Void
  ) throws(CodecError) {
    let place = place(of: destination, send)
    defer { if writers[place].writer.isFull { writers[place].writer.send { send($0, destination) } } }
    do throws(CodecError) {
      try writers[place].writer.add(envelope)
    } catch {
      if envelope.kind == .status { try writers[place].writer.add(Envelope(inPlaceOf: envelope, for: error)) }
      throw error
    }
  }

  /// Sends all collected messages.
  package mutating func flush(_ send: (EnvelopeFrames, Destination) -> Void) {
    for place in 0..<count where !writers[place].writer.isEmpty {
      let destination = writers[place].destination
      writers[place].writer.send { send($0, destination) }
    }
    count = 0
  }

  private mutating func place(of destination: Destination, _ send: (EnvelopeFrames, Destination) -> Void) -> Int {
    for place in 0..<count where writers[place].destination == destination { return place }
    // Searching through more writers would cost more than it saves.
    if count == Self.most { flush(send) }
    if count == writers.count {
      writers.append((destination, MessageWriter()))
    } else {
      writers[count].destination = destination
    }
    count += 1
    return count - 1
  }

  private static var most: Int { 32 }
}

extension Envelope {
  /// The outcome of a call whose own STATUS cannot be written.
  fileprivate init(inPlaceOf outcome: Envelope, for error: CodecError) {
    self.init(status: Status(.internal, "the outcome of this call cannot be sent: \(error)"), call: outcome.call)
    session = outcome.session
    credit = outcome.credit
  }
}
