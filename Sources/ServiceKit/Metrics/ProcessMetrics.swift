internal import Base

extension Metrics {
  /// The metrics of every process, under the names that Prometheus' own libraries use.
  func addProcess(program: String, clock: Clock = .system) {
    let started = Double(clock.now.millisecondsSince1970) / 1000
    gauge("process_start_time_seconds", "When the process started, in seconds since 1970.") { started }
    gauge("process_resident_memory_bytes", "Memory that the process holds.") {
      Double(ProcessUsage.current.residentBytes)
    }
    counter("process_cpu_seconds_total", "Time that the process has computed.") { ProcessUsage.current.cpuSeconds }
    gauges("assent_build_info", "Always 1; the labels say what runs.", labels: ["program", "version"])
      .with(program, Version.current).set(1)
  }
}
