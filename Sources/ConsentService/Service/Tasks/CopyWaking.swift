internal import Base
package import Presence
package import Storage

/// Wakes the jobs of copies that wait for another service as soon as a process of that service arrives. Each process of
/// ConsentService watches once for all copies, however many wait.
package struct CopyWaking: Sendable {
  private let database: Database

  /// The services that copies wait for.
  package enum Service: String, CaseIterable, Sendable {
    case signatures = "assent.signature.v1.SignatureService"
    case papers = "assent.signature.v1.PaperService"
    case seals = "assent.signature.v1.SealService"

    fileprivate var jobs: [String] {
      switch self {
      case .signatures, .papers: [SealJob.kind]
      case .seals: [SealJob.kind, SealStepJob.kind]
      }
    }
  }

  package init(_ database: Database) {
    self.database = database
  }

  /// Wakes the jobs that wait for a service each time one of its processes arrives. Ends when cancelled.
  package func following(_ arrivals: ServiceArrivals) -> Task<Void, Never> {
    Task {
      await withTaskGroup { group in
        for service in Service.allCases {
          group.addTask {
            for await _ in arrivals.arrivals(of: service.rawValue) {
              // If the database cannot be reached now, the jobs run after their own pauses.
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
        if service == .seals { try CopyReminders.trySome(transaction) }
      }
    }
  }
}
