internal import Base

/// Searches for work whenever there may be some: at first, after commits, when work that it began has ended, and after
/// a pause that the last search chose.
public struct WorkSearch: Sendable {
  /// Begins work beside the search. The work returns the pause after which there is more to do, or nil.
  public typealias Begin = (_ work: @escaping @Sendable () async -> Duration?) -> Void

  private let database: Database
  private let rest: Duration

  /// - Parameter rest: the least time between two searches: commits may follow each other by the thousand, and one
  ///   search serves all that come meanwhile.
  public init(_ database: Database, restingFor rest: Duration = .zero) {
    self.database = database
    self.rest = rest
  }

  /// Searches until the task is cancelled or the database is closed. Work that is running then is cancelled.
  ///
  /// - Parameter search: begins what it finds, and returns how long to wait for another reason to search.
  public func run(_ search: (_ begin: Begin) async -> Duration) async {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    wake.yield()
    database.commits.subscribe(wake)
    var next: Task<Void, Never>?
    defer { next?.cancel() }
    await withDiscardingTaskGroup { group in
      for await _ in wakes {
        let pause = await search { work in
          group.addTask {
            let pause = await work()
            wake.yield()
            if let pause, (try? await Rounds.wait(exactly: pause)) != nil { wake.yield() }
          }
        }
        next?.cancel()
        next = Task { if (try? await Rounds.wait(about: pause)) != nil { wake.yield() } }
        if rest > .zero { try? await Rounds.wait(exactly: rest) }
      }
      group.cancelAll()
    }
  }
}
