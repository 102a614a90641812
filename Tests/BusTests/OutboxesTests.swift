import Bus
import Testing
import Wire

/// What waits for peers that do not read.
@Suite struct OutboxesTests {
  private typealias Rooms = Outboxes<Int, String>

  /// Fills the room of a destination; returns how many messages it took.
  private func fill(_ rooms: inout Rooms, _ destination: Int, of sharer: String, leaving reserve: Int = 0) throws -> Int
  {
    let frames = try EnvelopeFrames(Envelope(.ping))
    var count = 0
    while rooms.add(frames, for: destination, of: sharer, leaving: reserve) { count += 1 }
    return count
  }

  /// A room for 64 such messages.
  private func room() throws -> Int { 64 * (try EnvelopeFrames(Envelope(.ping)).head.count + 64) }

  @Test("one key gets half of the room for all, over however many connections, and the next one half of the rest")
  func shares() throws {
    var rooms = Rooms(bytesEach: .max, together: try room())
    #expect(try fill(&rooms, 1, of: "greedy") == 32)
    for connection in 2...9 { #expect(try fill(&rooms, connection, of: "greedy") == 0) }
    #expect(try fill(&rooms, 10, of: "other") == 16)
    rooms.drop(1)
    #expect(try fill(&rooms, 2, of: "greedy") == 24)
  }

  @Test("one connection has a bound of its own, whatever its key may still take")
  func each() throws {
    var rooms = Rooms(bytesEach: try room() / 8, together: try room())
    for connection in 1...4 { #expect(try fill(&rooms, connection, of: "greedy") == 8) }
    #expect(try fill(&rooms, 5, of: "greedy") == 0)
  }

  @Test("what is left to others stays free however many there are")
  func reserve() throws {
    var rooms = Rooms(bytesEach: .max, together: try room())
    let quarter = try room() / 4
    var taken = 0
    for client in 1...100 { taken += try fill(&rooms, client, of: "client \(client)", leaving: quarter) }
    #expect(40...48 ~= taken)
    #expect(try fill(&rooms, 200, of: "worker") >= 8)
  }
}
