/// Who is measured: what is ours, with the name that its rows begin with, or a peer.
public struct Contender {
  let id: String
  let name: String
  private let run: () async throws -> [Double]

  /// - Parameter run: one run, which yields a figure for each aspect.
  public init(_ id: String, _ name: String = "", _ run: @escaping () async throws -> [Double]) {
    (self.id, self.name, self.run) = (id, name, run)
  }

  /// The figures of one run. A time, a size or a rate of nothing means that nothing was done.
  func figures(_ count: Int) async throws(NoFigure) -> [Double] {
    let figures: [Double]
    do { figures = try await run() } catch { throw NoFigure(description: "\(error)") }
    precondition(figures.count == count, "\(id) yields \(figures.count) figures, and not \(count)")
    if let figure = figures.first(where: { !$0.isFinite || $0 <= 0 }) {
      throw NoFigure(description: "the figure is \(figure)")
    }
    return figures
  }
}

/// One of the figures that a run yields. Its rows are named `ROW` and the aspect's suffix; those without one are the
/// table, and the others are only written down, unless they are asked for.
public struct Aspect: Sendable {
  let suffix: String
  let name: String
  let unit: Unit

  public init(_ suffix: String, _ name: String, _ unit: Unit) {
    (self.suffix, self.name, self.unit) = (suffix, name, unit)
  }
}

struct NoFigure: Error {
  let description: String
}
