import Bus
import RPC
import Testing

@Suite struct CutCallsTests {
  private static let peer = Peer(door: .clients, link: 100)
  private static let other = Peer(door: .clients, link: 101)

  private static func cut() -> CutCalls {
    var calls = CutCalls()
    calls.cut(7, to: peer, because: .unread(by: "the caller"))
    return calls
  }

  @Test("a stream that has lost a part does not end as if it were whole")
  func endsWithReason() throws {
    var end = Envelope(.status, call: 7)
    end.session = 3
    let sent = try #require(Self.cut().successor(end, to: Self.peer))
    #expect(sent.statusCode == .resourceExhausted)
    #expect(sent.extra?.metadata["retry-after-ms"] == "1000")
    #expect((sent.call, sent.session, sent.notStarted) == (7, 3, false))
  }

  @Test("nothing follows the lost part but the end", arguments: [Envelope.Kind.data, .halfClose, .window])
  func nothingFollows(kind: Envelope.Kind) {
    #expect(Self.cut().successor(Envelope(kind, call: 7), to: Self.peer) == nil)
  }

  @Test("errors and cancellations of the call stay, and so do other calls and peers")
  func othersStay() {
    let cut = Self.cut()
    var failure = Envelope(.status, call: 7)
    failure.statusCode = .aborted
    #expect(cut.successor(failure, to: Self.peer)?.statusCode == .aborted)
    #expect(cut.successor(Envelope(.cancel, call: 7), to: Self.peer)?.kind == .cancel)
    #expect(cut.successor(Envelope(.status, call: 8), to: Self.peer)?.statusCode == .ok)
    #expect(cut.successor(Envelope(.data, call: 7), to: Self.other)?.kind == .data)
  }

  @Test("a peer that has lost a message gets nothing more, in whichever call, and other peers get everything")
  func lostPeer() {
    var cut = CutCalls()
    cut.lose(Self.peer)
    #expect(!cut.isEmpty)
    #expect(cut.successor(Envelope(.status, call: 8), to: Self.peer) == nil)
    #expect(cut.successor(Envelope(.ping), to: Self.peer) == nil)
    #expect(cut.successor(Envelope(.status, call: 8), to: Self.other)?.kind == .status)
  }

  @Test("once the router knows, everything passes")
  func isOver() {
    var cut = Self.cut()
    cut.lose(Self.peer)
    cut.removeAll()
    #expect(cut.isEmpty)
    #expect(cut.successor(Envelope(.status, call: 7), to: Self.peer)?.statusCode == .ok)
  }
}
