internal import Base
package import Presence
package import Storage

/// Lets copies go on that wait for another service, as soon as a process that serves it has come: one watcher for each
/// process of ConsentService, however many copies wait.
package struct CopyWaking: Sendable {
  private let database: Database

  /// What copies wait for.
  package enum Service: String, CaseIterable, Sendable {
    case signatures = "assent.signature.v1.SignatureService"
    case papers = "assent.signature.v1.PaperService"
    case seals = "assent.signature.v1.SealService"

    fileprivate var jobs: [String] {
      switch self {
      case .signatures, .papers: [SealJob.kind]
      case .seals: [SealJob.kind, SealTimeJob.kind, SealProofJob.kind, SealArchiveJob.kind]
      }
    }
  }

  package init(_ database: Database) {
    self.database = database
  }

  /// Wakes what waits for a service each time it has come. Ends when cancelled.
  package func following(_ arrivals: ServiceArrivals) -> Task<Void, Never> {
    Task {
      await withTaskGroup { group in
        for service in Service.allCases {
          group.addTask {
            for await _ in arrivals.arrivals(of: service.rawValue) {
              // A database that cannot be reached now has the jobs' own pauses.
              try? await wake(service)
            }
          }
        }
      }
    }
  }

  package func wake(_ service: Service) async throws {
    for tenant in try await database.tenants() {
      try await database.scope(tenant).write { transaction in
        for kind in service.jobs { try transaction.hastenJobs(kind) }
        // It may know more of those who publish revocations than the process before it.
        if service == .seals {
          try DeadlineStore.hasten(.proofs, atMost: CopyReminders.trials, transaction)
        }
      }
    }
  }
}
