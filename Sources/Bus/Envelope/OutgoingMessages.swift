package import Wire

/// What goes out in one turn, put together: all that goes to one peer is as few messages as can be.
///
/// Each message costs both its ends some thousand instructions, wakes a thread on its way and, over CURVE, has a seal of its
/// own. So what is ready at the same time travels together.
package struct OutgoingMessages<Destination: Equatable> {
  private var writers: [(destination: Destination, writer: MessageWriter)] = []
  /// How many writers are at work in this turn.
  private var count = 0

  package init() {}

  /// Puts an envelope behind what waits for its destination. Messages that are full are sent at once.
  package mutating func add(
    _ envelope: Envelope, for destination: Destination, send: (EnvelopeFrames, Destination) -> Void
  ) throws(CodecError) {
    let place = place(of: destination, send)
    try writers[place].writer.add(envelope)
    if writers[place].writer.isFull { writers[place].writer.send { send($0, destination) } }
  }

  /// Sends all that waits.
  package mutating func flush(_ send: (EnvelopeFrames, Destination) -> Void) {
    for place in 0..<count where !writers[place].writer.isEmpty {
      let destination = writers[place].destination
      writers[place].writer.send { send($0, destination) }
    }
    count = 0
  }

  private mutating func place(of destination: Destination, _ send: (EnvelopeFrames, Destination) -> Void) -> Int {
    for place in 0..<count where writers[place].destination == destination { return place }
    // Looking through more would cost more than it saves.
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
