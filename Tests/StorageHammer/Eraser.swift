import Base
import Storage
import StorageTestKit

/// Erases one person after the other, writes each down outside the database, and signs the log.
struct Eraser {
  private let scope: Scope
  private let signer: EvidenceSigner
  private let folder: String

  /// - Parameter folder: where the list of erasures, the heads and a file that says that it began are kept.
  init(_ database: Database, _ tenant: Tenant, in folder: String) throws {
    scope = database.scope(tenant)
    signer = EvidenceSigner(
      database, key: .example(), installation: "hammer", file: try HeadFile("\(folder)/heads"))
    self.folder = folder
  }

  static func list(in folder: String) throws -> ErasureList { try ErasureList("\(folder)/erasures") }

  /// Prints "0 NUMBER" for each person whose erasure and head were acknowledged.
  func run() async throws {
    try Files.write(Array("begun".utf8), to: "\(folder)/begun")
    var number = 0
    while true {
      guard let subject = Subject("s-\(number)") else { return }
      try await scope.write(within: .seconds(60)) { try $0.vault.put([1], as: "name", of: subject) }
      try await scope.write(within: .seconds(60)) { try $0.vault.erase(subject, by: "hammer", reason: "request") }
      try await signer.sign(scope.tenant)
      StandardOutput.write("0 \(number)\n")
      number += 1
    }
  }
}
