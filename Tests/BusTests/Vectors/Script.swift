import Bus
import RPC
import TestSupport
import Testing

/// What a conversation has said so far: who named which call how, and which envelopes were not spoken of yet.
struct Script {
  /// Numbers of calls that the vectors name instead of stating.
  private var numbers: [String: Int] = [:]
  /// The epoch of each link's last HELLO.
  private var epochs: [Int: Int] = [:]
  private var unread: [Int: [Envelope]] = [:]
  /// The highest credit that was said on each link since its HELLO.
  private(set) var credit: [Int: Int] = [:]

  mutating func note(_ envelope: Envelope, on link: Int) {
    if envelope.credit > 0 { credit[link] = Int(envelope.credit) }
    unread[link, default: []].append(envelope)
  }

  /// What is sent to the party, with names of calls replaced by their numbers.
  func envelope(_ vector: JSONValue) -> Envelope {
    var envelope = Envelope(vector: vector)
    if let name = vector["call_id"].text { envelope.call = UInt64(numbers[name] ?? 0) }
    return envelope
  }

  /// The next envelope of the party is as described. Signs of life and credit may come in between.
  mutating func expect(_ vector: JSONValue, on link: Int) {
    let kind = Envelope.kind(vector["type"].text ?? "")
    while let next = unread[link]?.first {
      unread[link]?.removeFirst()
      if next.kind != kind, [.ping, .pong, .credit].contains(next.kind) { continue }
      return compare(vector, with: next, on: link)
    }
    Issue.record("no \(kind) was sent")
  }

  /// No envelope of a kind is there.
  func expectNone(_ kind: Envelope.Kind, on link: Int) {
    #expect(unread[link]?.contains { $0.kind == kind } != true, "\(kind) was sent")
  }

  func expectNothing(on link: Int) {
    let said = (unread[link] ?? []).filter { ![.ping, .pong].contains($0.kind) }
    #expect(said.isEmpty)
  }

  /// The DATA of a call that was sent, put together.
  mutating func expectStream(_ vector: JSONValue, on link: Int) {
    let number = vector["call_id"].number ?? numbers[vector["call_id"].text ?? ""] ?? 0
    let isPart = { (envelope: Envelope) in envelope.kind == .data && envelope.call == UInt64(number) }
    let chunks = (unread[link] ?? []).filter(isPart)
    unread[link]?.removeAll(where: isPart)
    #expect(chunks.allSatisfy { $0.payload.count <= BusLimits.chunk })
    #expect(chunks.flatMap(\.payload) == vector["bytes"].bytes)
  }

  private mutating func compare(_ vector: JSONValue, with envelope: Envelope, on link: Int) {
    var expected = vector.members
    let actual = envelope.vector
    if let name = vector["call_id"].text {
      if numbers[name] == nil { numbers[name] = Int(envelope.call) }
      expected["call_id"] = .number(numbers[name] ?? 0)
    }
    if let range = expected.removeValue(forKey: "status_message_bytes")?.list.compactMap(\.number) {
      #expect((range[0]...range[1]).contains(envelope.extra?.statusMessage.utf8.count ?? 0))
    }
    if case .object(var hello) = vector["hello"], let rule = hello["epoch"]?.text {
      let epoch = actual["hello"]["epoch"].number ?? 0
      #expect(rule == "new" ? epoch > epochs[link] ?? 0 : epoch == epochs[link], "the epoch is not \(rule)")
      epochs[link] = epoch
      hello["epoch"] = nil
      expected["hello"] = .object(hello)
    }
    Self.compare(.object(expected), with: actual, at: vector["type"].text ?? "")
  }

  /// Every field that the vector names has the value that it states.
  private static func compare(_ expected: JSONValue, with actual: JSONValue, at place: String) {
    switch expected {
    case .object(let members):
      for (name, value) in members { compare(value, with: actual[name], at: "\(place).\(name)") }
    case .list(let values):
      #expect(values.count == actual.list.count, "\(place)")
      for (value, found) in zip(values, actual.list) { compare(value, with: found, at: place) }
    case .text where place.hasSuffix(".payload") || place.hasSuffix(".value"):
      #expect(expected.bytes == actual.bytes, "\(place)")
    default: #expect(expected == actual, "\(place)")
    }
  }
}
