import BenchKit
import Testing

// One at a time, since they compile the same peer.
@Suite(.serialized) struct PeerTests {
  @Test("a peer in C is compiled, answers, and stays up for the next question")
  func compiled() async throws {
    let peer = Peer.compiled("selftest.c")
    #expect(try await peer.measure("answer") == 42)
    #expect(try await peer.measure("nothing") > 0)
  }

  @Test("a case that the peer does not know is an error with its words")
  func unknownCase() async throws {
    let peer = Peer.compiled("selftest.c")
    let error = await #expect(throws: PeerError.self) { _ = try await peer.measure("other") }
    #expect(error?.description == "selftest.c: there is no case 'other'")
    #expect(try await peer.measure("answer") == 42)
  }

  @Test("a figure of nothing is an error: nothing was measured")
  func noFigure() async throws {
    let peer = Peer.compiled("selftest.c")
    let error = await #expect(throws: PeerError.self) { _ = try await peer.measure("zero") }
    #expect(error?.description == "selftest.c: 'zero' gave no figure")
  }

  @Test("a case has what follows its name, and one that fails is an error with the reason")
  func arguments() async throws {
    let peer = Peer.compiled("selftest.c")
    #expect(try await peer.measure("argument 7") == 7)
    let error = await #expect(throws: PeerError.self) { _ = try await peer.measure("failed") }
    #expect(error?.description == "selftest.c: it failed")
    #expect(try await peer.measure("answer") == 42)
  }

  @Test("a peer that ends is an error then, and for every further case")
  func gone() async throws {
    let peer = Peer.compiled("selftest.c")
    for test in ["gone", "answer"] {
      let error = await #expect(throws: PeerError.self) { _ = try await peer.measure(test) }
      #expect(error?.description == "selftest.c ended with 3 without an answer to 'gone'")
    }
  }

  @Test("a peer that cannot be compiled is an error, and is not tried again")
  func missing() async {
    let peer = Peer.compiled("missing.c")
    let error = await #expect(throws: PeerError.self) { _ = try await peer.measure("answer") }
    #expect(error?.description == "gcc ended with 1 for missing.c")
  }
}
