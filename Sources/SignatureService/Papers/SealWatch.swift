package import Base
internal import Sealing
package import ServiceKit

/// Tells in the log of certificates with which nothing can be sealed, now or soon.
package struct SealWatch: Sendable {
  /// How long it may take to get another certificate.
  private static let notice = Duration.days(30)

  private let keys: TenantSealKeys
  private let log: Log

  package init(_ keys: TenantSealKeys, log: Log) {
    self.keys = keys
    self.log = log
  }

  package func look(at now: Instant) {
    for (tenant, key) in keys.all {
      let log = log.with(["tenant": tenant ?? "all others", "certificate": key.certificate.subject])
      do throws(SealingError) {
        try key.check(at: now)
        let end = key.certificate.validUntil
        if end < now + Self.notice { log.warn("the seal's certificate ends soon", ["end": TimeText.rfc3339(end)]) }
      } catch {
        // It may begin to be valid while the process runs, or be replaced: calls are refused meanwhile.
        log.error("documents cannot be sealed", ["reason": error.description])
      }
    }
  }
}
