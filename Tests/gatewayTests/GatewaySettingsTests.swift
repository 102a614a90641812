import Face
import RPC
import Testing

@testable import ServiceKit
@testable import gateway

@Suite("settings of a gateway") struct GatewaySettingsTests {
  private func read(_ words: [String]) throws -> Settings<GatewaySettings> {
    let reader = SettingsReader(
      program: "gateway", section: "gateway", environment: [:], readFile: { _ in "" }, readSecret: { _ in "" })
    guard case .run(let settings) = try reader.read(GatewaySettings(), words) else {
      throw SettingsError("nothing was read")
    }
    return settings
  }

  private func refusal(of words: [String]) -> String? {
    do {
      _ = try read(words).callTimes()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("say how long calls may take whose callers state no time, by kind, and how long any call may take")
  func times() throws {
    let usual = try read([]).callTimes()
    #expect([usual.single, usual.stream, usual.longest] == [.seconds(30), .seconds(86_400), .seconds(86_400)])
    let times = try read(["--call-time", "5m", "--stream-time", "2h", "--longest-call-time", "3h"]).callTimes()
    #expect(times.time(of: .unary) == .seconds(300))
    for kind in MethodDescriptor.Kind.allCases where kind != .unary { #expect(times.time(of: kind) == .seconds(7200)) }
    #expect(times.time(of: .unary, stated: .seconds(7)) == .seconds(7))
    #expect(times.time(of: .serverStreaming, stated: .seconds(86_400)) == .seconds(10_800))
  }

  @Test(
    "a time out of bounds is refused by the name of its setting",
    arguments: [
      ("--call-time", "0s", "1s to 1h"), ("--call-time", "2h", "1s to 1h"), ("--stream-time", "0s", "1s to 1d"),
      ("--stream-time", "2d", "1s to 1d"), ("--longest-call-time", "59s", "1m to 1d"),
      ("--longest-call-time", "25h", "1m to 1d"), ("--http-body-time", "1s", "10s to 1h"),
      ("--http-body-time", "2h", "10s to 1h"),
    ])
  func bounds(name: String, value: String, bounds: String) {
    #expect(refusal(of: [name, value]) == "\(name) is '\(value)'; it must be \(bounds)")
  }

  @Test("no call that states no time may take longer than any call; a stream ends with the longest")
  func longerThanLongest() throws {
    #expect(
      refusal(of: ["--call-time", "5m", "--longest-call-time", "2m"])
        == "call-time is 5m, and longest-call-time is 2m: no call takes longer")
    #expect(refusal(of: ["--call-time", "2m", "--longest-call-time", "2m"]) == nil)
    let times = try read(["--longest-call-time", "2m"]).callTimes()
    #expect(times.time(of: .serverStreaming) == .seconds(120))
  }
}
