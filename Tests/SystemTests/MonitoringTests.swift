import Base
import TestSupport
import Testing

/// What compose/monitoring asks Prometheus for is there. scripts/test-monitoring asks a real Prometheus.
@Suite struct MonitoringTests {
  @Test("every figure that the dashboard and the alerts name is one that processes give", .timeLimit(.minutes(2)))
  func names() async throws {
    let system = try await TestSystem.start { _ in
      ["--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"]
    }
    let worker = try await system.startWorker("InteropService", ["--ops-listen", "127.0.0.1:0"])
    let consent = try await system.startWorker(
      "ConsentService", ["--ops-listen", "127.0.0.1:0", "--data", system.folder.file("data")],
      environment: ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)])
    var given: Set<String> = []
    for program in [system.gateway, worker, consent] {
      // The address of operations is announced first.
      let address = try #require(program.lines.first?.split(separator: " ").first { $0.hasPrefix("http://") })
      given.formUnion(Self.families(try await HTTP.fetch("\(address)/metrics")))
    }
    for file in ["alerts.yaml", "grafana/dashboards/assent.json"] {
      let text = try Files.read(Repository.path("compose/monitoring/\(file)"))
      let named = Self.names(in: String(decoding: text, as: UTF8.self))
      #expect(named.count >= 5, "\(file)")
      #expect(named.subtracting(given) == [], "\(file)")
    }
    let example = Self.names(in: "rate(assent_x_total[5m]) / assent_y_seconds_bucket{process=\"a\"}")
    #expect(example == ["assent_x_total", "assent_y_seconds"])
  }

  /// Names of figures in expressions; a histogram's parts count as the histogram.
  private static func names(in text: String) -> Set<String> {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return Set(
      words.filter { $0.hasPrefix("assent_") || $0.hasPrefix("process_") }.map { word in
        let part = ["_bucket", "_sum", "_count"].first(where: word.hasSuffix)
        return String(word.dropLast(part?.count ?? 0))
      })
  }

  private static func families(_ lines: [String]) -> Set<String> {
    Set(lines.filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) })
  }
}
