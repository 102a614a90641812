internal import Synchronization

extension Database {
  /// Removes erased bytes from the engine's files. Where that fails, because somebody reads an older state or the
  /// server is away, it is tried again until it is done: the erasure itself is durable, and nobody has to repeat it.
  func scrubFiles() async {
    do { try await engine.scrub() } catch { scrubLater() }
  }

  /// One attempt after the other, whoever asked for it.
  private func scrubLater() {
    guard claimScrub() else { return }
    Task { [weak self] in
      var pause = Duration.seconds(1)
      while true {
        try? await Task.sleep(for: pause)
        guard let self else { return }
        isScrubAhead.withLock { $0 = false }
        do {
          try await engine.scrub()
          return
        } catch {
          if (error as? DatabaseError)?.code == .closed { return }
          guard claimScrub() else { return }
        }
        pause = min(pause * 2, .seconds(60))
      }
    }
  }

  /// False when another attempt is ahead already.
  private func claimScrub() -> Bool {
    isScrubAhead.withLock { isAhead in
      defer { isAhead = true }
      return !isAhead
    }
  }
}
