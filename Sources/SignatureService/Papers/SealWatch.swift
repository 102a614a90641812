package import Base
internal import Sealing
package import ServiceKit

/// Logs a warning for each certificate that expires soon, and an error for each that cannot be sealed with now.
package struct SealWatch: Sendable {
  /// How long before its end an expiring certificate is logged: it takes time to get another one.
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
        // The certificate may become valid, or be replaced, while the process runs, so only calls fail meanwhile.
        log.error("documents cannot be sealed", ["reason": error.description])
      }
    }
  }
}
