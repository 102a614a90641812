/// The HTTP answers for operators: `/metrics`, `/healthz`, `/readyz`.
struct OperationsPages: Sendable {
  let metrics: Metrics
  let readiness: Readiness

  func answer(method: String, path: String) -> HTTPAnswer {
    guard method == "GET" || method == "HEAD" else {
      return HTTPAnswer(status: 405, body: "only GET and HEAD are answered here\n")
    }
    switch path {
    case "/metrics": return HTTPAnswer(status: 200, contentType: Exposition.contentType, body: metrics.exposition)
    case "/healthz": return HTTPAnswer(status: 200, body: "ok\n")
    case "/readyz":
      let (phase, time) = readiness.look()
      guard phase == .ready else { return HTTPAnswer(status: 503, body: phase.rawValue + "\n") }
      let lines = ["ready"] + readiness.notices
      return HTTPAnswer(
        status: 200, headers: [ReadinessProbe.timeHeader: "\(time.components.seconds)"],
        body: lines.joined(separator: "\n") + "\n")
    default: return HTTPAnswer(status: 404, body: "there is /metrics, /healthz and /readyz\n")
    }
  }
}
