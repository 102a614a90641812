import Base
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct ExpositionPeerTests {
  @Test("Prometheus' own parser reads our metrics, unusual labels included")
  func parsed() async throws {
    let metrics = Metrics()
    metrics.addProcess(program: "gateway")
    let awkward = "quote \" backslash \\ line\nend ä"
    metrics.counters("awkward_total", "Help with \\ and\nline end.", labels: ["text"]).with(awkward).add(2)
    metrics.histograms("seconds", "Times.", labels: ["m"]).with("x").observe(0.3)
    metrics.gauge("infinite", "Too much.") { .infinity }
    let folder = try TemporaryFolder()
    try Files.write(Array(metrics.exposition.utf8), to: folder.file("metrics"))
    let script = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families
      for family in text_string_to_metric_families(open(sys.argv[1], encoding="utf-8").read()):
          for sample in family.samples:
              if family.name in ("awkward", "infinite") or sample.labels.get("le") in ("0.25", "0.5", "+Inf"):
                  print(family.type, sample.name, sorted(sample.labels.items()), float(sample.value))
      """
    #expect(Files.exists(Repository.python), "scripts/lib/setup test makes the Python environment")
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(Repository.python, ["-c", script, folder.file("metrics")]))
    #expect(exit.isSuccess)
    #expect(
      lines == [
        #"counter awkward_total [('text', 'quote " backslash \\ line\nend ä')] 2.0"#,
        "gauge infinite [] inf",
        "histogram seconds_bucket [('le', '0.25'), ('m', 'x')] 0.0",
        "histogram seconds_bucket [('le', '0.5'), ('m', 'x')] 1.0",
        "histogram seconds_bucket [('le', '+Inf'), ('m', 'x')] 1.0",
      ])
  }
}
