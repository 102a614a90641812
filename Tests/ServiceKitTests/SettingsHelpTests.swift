import Testing

@testable import ServiceKit

@Suite struct SettingsHelpTests {
  @Test("the help names every setting with its default, its variable and its bounds")
  func complete() {
    let help = SettingsHelp(usage: "sample [OPTION…]", summary: "A sample.", settings: SampleSettings().descriptions)
    #expect(
      help.text == """
        A sample.

        usage: sample [OPTION…]

          --slots N               handlers that run at the same time, 1 to 64 (default 2; ASSENT_SLOTS)
          --cache-limit SIZE      what the cache may hold (default 64MiB; ASSENT_CACHE_LIMIT)
          --verbose               says more (default no; ASSENT_VERBOSE)
          --master-key-file FILE  wraps the keys of all tenants (ASSENT_MASTER_KEY, ASSENT_MASTER_KEY_FILE)
          --gateways HOST:PORT,…  where gateways listen (ASSENT_GATEWAYS)
          --wait TIME             how long to wait (default 250ms; ASSENT_WAIT)
          --config FILE           a file of settings: name = value on each line (ASSENT_CONFIG)
          --help                  shows this
          --version               shows the version

        """)
  }

  @Test("help and version have their usual names, and are shown even if values are wrong")
  func requests() throws {
    for words in [["--help"], ["-h"], ["--slots", "many", "--help"]] {
      guard case .help = try Reading().request(words) else {
        Issue.record("\(words) asks for help")
        continue
      }
    }
    guard case .version = try Reading().request(["--version"]) else {
      Issue.record("--version asks for the version")
      return
    }
  }

  @Test("the nearest name is the one that was meant, or none")
  func nearest() {
    #expect(editDistance(from: "slots", to: "slots") == 0)
    #expect(editDistance(from: "solts", to: "slots") == 1)
    #expect(editDistance(from: "", to: "abc") == 3)
    #expect(nearestName(to: "cachelimit", among: ["slots", "cache-limit"]) == "cache-limit")
    #expect(nearestName(to: "zzzzzzzz", among: ["slots", "cache-limit"]) == nil)
  }
}
