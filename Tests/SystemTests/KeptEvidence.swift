import Base
import Storage
import TestSupport
import Testing

/// What `assent up` gives each process that keeps data besides its folder: the master key, a key that signs heads, and
/// a file of heads of its own. Heads are signed more often than there, so that processes are killed while they sign.
struct KeptEvidence {
  /// The folder of the databases and of the files of heads.
  let data: String

  /// Makes the folder: services that keep their data in PostgreSQL make none.
  init(data: String) throws {
    try Files.makeFolder(data)
    self.data = data
  }

  private static let masterKey = String(repeating: "5a", count: 32)
  private static let evidenceKey = String(repeating: "6b", count: 32)

  static let environment = ["ASSENT_MASTER_KEY": masterKey, "ASSENT_EVIDENCE_KEY": evidenceKey]

  /// - Parameter instance: names a process, and the one that is started in its place.
  func arguments(of instance: String) -> [String] {
    ["--data", data, "--evidence-heads", headFile(of: instance), "--evidence-interval", "1s"]
  }

  private func headFile(of instance: String) -> String { "\(data)/\(instance).heads" }

  /// Has `assent data check` compare a service's database with its log, each event with its code, and the log with all
  /// heads that processes kept.
  ///
  /// - Parameter instances: the processes that have kept the service's data, as `arguments` named them.
  func check(_ service: String, keptBy instances: [String], databaseURL: String? = nil) async throws {
    let (master, key, heads) = ("\(data)/check.master", "\(data)/check.pub", "\(data)/check.heads")
    try Files.write(Array(Self.masterKey.utf8), to: master, mode: 0o600)
    try Files.write(Array(try EvidenceKey(text: Self.evidenceKey).publicText.utf8), to: key)
    // Of several processes one at a time signs, so not each has to have heads.
    let kept = try instances.map(headFile).filter { Files.exists($0) }.flatMap { try Files.read($0) }
    try Files.write(kept, to: heads)
    var command = ChildCommand(
      Products.program("assent"),
      [
        "data", "check", "--schema", service, "--data", data, "--evidence-public-key", key, "--master-key-file", master,
      ])
    // A service that has written nothing has signed nothing.
    if !kept.isEmpty { command.arguments += ["--head", heads] }
    if let databaseURL { command.environment = ["ASSENT_DATABASE_URL": databaseURL] }
    let check = try await ChildProcess.output(of: command)
    let isAllTold = kept.isEmpty || check.lines.allSatisfy { $0.hasPrefix("✓ ") }
    #expect(check.exit.isSuccess && isAllTold, "\(service): \(check.lines)")
  }
}
