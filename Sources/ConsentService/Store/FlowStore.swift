internal import ConsentContract
internal import ConsentDomain
internal import Storage

/// Flows and their versions.
enum FlowStore: VersionStore {
  typealias Thing = ConsentFlow
  typealias Version = FlowVersion

  static let tables = VersionTables("flow", further: ["purposes"])

  static func write(_ version: FlowVersion, _ body: [UInt8], _ transaction: Transaction) throws {
    try transaction.run(
      tables.putVersion, version.flowID, Int64(version.version), Int64(version.state.number), version.versionHash, body,
      StudyPurposes.column(version.definition?.formPurposes ?? []))
  }

  static func owner(of version: FlowVersion) -> String { version.flowID }

  static func pendingApprovals(of flow: ConsentFlow, _ snapshot: Snapshot) throws -> [PendingApproval] {
    try pendingDraft(of: flow, snapshot)
  }
}

extension ConsentFlow: Versioned {
  typealias Store = FlowStore

  static var eventID: WritableKeyPath<ConsentEvent, String> { \.flowID }
  var id: String { flowID }

  func version(_ number: Int32) -> FlowVersion { FlowVersion(flowID: flowID, version: number, state: .draft) }
}

extension FlowVersion: NumberedVersion {
  var content: FlowDefinition? {
    get { definition }
    set { definition = newValue }
  }
}
