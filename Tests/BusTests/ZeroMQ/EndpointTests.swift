import Base
import Bus
import RPC
import Synchronization
import Testing

@Suite struct EndpointTests {
  @Test("endpoints read back as they were written")
  func parsing() throws {
    for text in ["tcp://gateway:5571", "tcp://127.0.0.1:5570", "tcp://[::1]:5570", "ipc:///run/assent/clients"] {
      #expect(try BusEndpoint(text).description == text)
    }
  }

  @Test(
    "what is no endpoint is refused with the reason",
    arguments: [
      ("gateway:5571", "“gateway:5571” must begin with tcp:// or ipc://"),
      ("tcp://gateway", "“tcp://gateway” must end with a port from 0 to 65535"),
      ("tcp://gateway:65536", "“tcp://gateway:65536” must end with a port from 0 to 65535"),
      ("tcp://:5571", "“tcp://:5571” must name a host before its port"),
      ("ipc://relative", "“ipc://relative” must name an absolute path of at most 107 bytes"),
    ])
  func refused(text: String, problem: String) {
    let error = #expect(throws: BusEndpointError.self) { try BusEndpoint(text) }
    #expect(error?.description == problem)
  }

  @Test("a name's addresses are followed as they change, and kept while they cannot be resolved")
  func following() async throws {
    let answers = Mutex<[[String]?]>([["10.0.0.1", "10.0.0.2"], nil, [], ["10.0.0.2", "10.0.0.3", "fd00::1"]])
    let changes = AsyncStream.makeStream(of: EndpointChange.self)
    let endpoints = [try BusEndpoint("tcp://gateway:5571"), try BusEndpoint("tcp://192.168.0.9:5571")]
    let follower = try EndpointFollower(endpoints, every: .milliseconds(1)) { host in
      #expect(host == "gateway")
      return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    } report: {
      changes.continuation.yield($0)
    }
    defer { follower.stop() }
    var iterator = changes.stream.makeAsyncIterator()
    #expect(
      await iterator.next()
        == EndpointChange(
          added: ["tcp://10.0.0.1:5571", "tcp://10.0.0.2:5571", "tcp://192.168.0.9:5571"], removed: []))
    #expect(
      await iterator.next()
        == EndpointChange(added: ["tcp://10.0.0.3:5571", "tcp://[fd00::1]:5571"], removed: ["tcp://10.0.0.1:5571"]))
  }

  @Test("the system's own names are resolved")
  func localhost() async throws {
    let changes = AsyncStream.makeStream(of: EndpointChange.self)
    let follower = try EndpointFollower([try BusEndpoint("tcp://localhost:5571")], every: .seconds(1)) {
      changes.continuation.yield($0)
    }
    defer { follower.stop() }
    var iterator = changes.stream.makeAsyncIterator()
    let added = try #require(await iterator.next()).added
    #expect(added.contains("tcp://127.0.0.1:5571") || added.contains("tcp://[::1]:5571"))
  }
}
