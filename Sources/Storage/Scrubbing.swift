extension Database {
  /// Removes erased bytes from the engine's files. Where that fails, because somebody reads an older state or the
  /// server is away, it is tried again until it is done: the erasure itself is durable, and nobody has to repeat it.
  func scrubFiles() async {
    do {
      try await engine.scrub()
    } catch {
      scrubbing.begin { [weak self] in try await self?.engine.scrub() }
    }
  }
}
