import Base
import Face
import RPC
import TestSupport
import Testing

/// Who is let in, and how often.
@Suite struct GatekeeperTests {
  /// Calls with a key that is for one method, or with another text; gives the rules by which they are refused.
  private func rules(
    of calls: [(String, String?)], from address: String = "192.0.2.7", at gatekeeper: Gatekeeper
  ) throws -> [String] {
    let catalogue = try Catalogue.builtIn()
    return try calls.map { name, token in
      let method = try #require(catalogue.method("/assent.interop.v1.InteropService/\(name)"))
      do throws(Status) {
        _ = try gatekeeper.admit(
          token.map { PresentedCredential(token: $0) }, from: address, to: method.descriptor)
        return ""
      } catch {
        return String(error.message.prefix { $0 != ":" })
      }
    }
  }

  private func gatekeeper(_ rates: Gatekeeper.Rates) -> Gatekeeper {
    Gatekeeper(
      [HTTPBench.OneKey(scopes: ["assent.interop.v1.InteropService/EmptyCall"])], rates: rates,
      clock: SteppedClock().clock)
  }

  @Test("calls that a key may not make count against it like those that it may")
  func refusedCallsCount() throws {
    let calls: [(String, String?)] = ["UnaryCall", "EmptyCall", "UnaryCall"].map { ($0, HTTPBench.key) }
    #expect(try rules(of: calls, at: gatekeeper(.init(perCredential: 2))) == ["out_of_scope", "", "too_many_calls"])
  }

  @Test("calls without a key and guesses of keys count for their address")
  func guesses() throws {
    let calls: [(String, String?)] = [("EmptyCall", nil), ("EmptyCall", "ak_guess"), ("EmptyCall", "ak_guess")]
    let found = try rules(of: calls, at: gatekeeper(.init(perAddress: 2)))
    #expect(found == ["credential_missing", "credential_unknown", "too_many_calls"])
  }

  @Test("links that browsers open, and codes of devices, are counted together, a minute of them at once")
  func links() throws {
    let catalogue = try Catalogue.builtIn()
    let gatekeeper = gatekeeper(.init())
    let methods = try [BrowserPasses.opening, "/assent.account.v1.DeviceService/RegisterBrowser"].map {
      try #require(catalogue.method($0)).descriptor
    }
    for number in 0..<60 { _ = try gatekeeper.admit(nil, from: "192.0.2.7", to: methods[number % 2]) }
    for method in methods {
      let refusal = #expect(throws: Status.self) { try gatekeeper.admit(nil, from: "192.0.2.7", to: method) }
      #expect(refusal?.message.hasPrefix("too_many_links: ") == true)
    }
    _ = try gatekeeper.admit(nil, from: "192.0.2.8", to: methods[1])
  }

  @Test("no caller has more calls open than are still free, nor more streams than its own bound")
  func openCalls() throws {
    let catalogue = try Catalogue.builtIn()
    func method(_ name: String) throws -> MethodDescriptor {
      try #require(catalogue.method("/assent.interop.v1.InteropService/\(name)")).descriptor
    }
    let (unary, stream) = (try method("UnaryCall"), try method("FullDuplexCall"))
    var bounds = OpenCalls.Bounds()
    (bounds.all, bounds.streamsOfAccount, bounds.streamsOfAddress) = (9, 4, 2)
    let calls = OpenCalls(bounds)
    var held: [Held] = []
    func refusal(of method: MethodDescriptor, by account: String, from address: String = "192.0.2.7") -> String? {
      do throws(Status) {
        held.append(Held(try calls.begin(method, by: account, from: address)))
        return nil
      } catch {
        return String(error.message.prefix { $0 != ":" })
      }
    }
    for _ in 0..<2 { #expect(refusal(of: stream, by: "", from: "2001:db8::\(held.count)") == nil) }
    #expect(refusal(of: stream, by: "", from: "2001:db8::9") == "too_many_streams")
    for _ in 0..<4 { #expect(refusal(of: unary, by: "a") == nil) }
    #expect(refusal(of: unary, by: "a") == "too_many_open_calls")
    #expect(refusal(of: stream, by: "b") == nil)
    held = []
    #expect(calls.count == 0)
    for _ in 0..<4 { #expect(refusal(of: stream, by: "a") == nil) }
    #expect(refusal(of: stream, by: "a") == "too_many_streams")
    #expect(refusal(of: unary, by: "a") == nil)
  }

  /// What a call holds, in a list.
  private final class Held {
    let place: CallPlace

    init(_ place: consuming CallPlace) {
      self.place = place
    }
  }

  @Test("all addresses of a network of IPv6 are one caller")
  func networks() throws {
    let gatekeeper = gatekeeper(.init(perAddress: 1))
    let call: [(String, String?)] = [("EmptyCall", nil)]
    #expect(try rules(of: call, from: "2001:db8::1", at: gatekeeper) == ["credential_missing"])
    #expect(try rules(of: call, from: "2001:db8::2", at: gatekeeper) == ["too_many_calls"])
    #expect(try rules(of: call, from: "2001:db8:0:1::1", at: gatekeeper) == ["credential_missing"])
  }

  @Test(
    "an address of IPv6 is counted by its network",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::1", "0:0:0:0::/64"),
      ("2001:db8::1", "2001:db8:0:0::/64"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
      ("2001:db8:1:2::", "2001:db8:1:2::/64"), ("2001:0:0:7::3", "2001:0:0:7::/64"),
      ("fe80::1:2:3:4%eth0", "fe80:0:0:0::/64"), ("", ""),
    ])
  func counted(address: String, expected: String) { #expect(CountedAddress.of(address) == expected) }
}
