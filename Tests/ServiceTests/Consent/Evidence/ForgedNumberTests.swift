import ConsentContract
import RPC
import Storage
import StorageTestKit
import Testing

/// Numbers that nobody but an intruder writes into rows that are counted on from.
@Suite struct ForgedNumberTests {
  private func alter(_ world: World, _ sql: String) async throws {
    try await world.test.location.alter(sql, schema: world.test.schema.name)
  }

  @Test("a version that was added by hand gives the next one no number")
  func versions() async throws {
    let world = try await World()
    try await world.open()
    let flows = world.publisher.flows
    let draft = try #require(try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version)
    try await alter(
      world,
      "INSERT INTO flow_versions (tenant, flow_id, version, state, purposes, version_hash, body) "
        + "SELECT tenant, flow_id, \(Int32.max), state, purposes, version_hash, body FROM flow_versions "
        + "WHERE version = \(draft.version)"
    )
    _ = try await flows.discardFlowDraft(
      DiscardFlowDraftRequest(flowID: "flow", expectedRevision: draft.revision))
    let next = try await flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version?.version
    #expect(next == draft.version + 1, "the number comes from the list, and not from what is in the table")
    await world.end()
  }

  @Test("counts of a version go as far as there are numbers")
  func counts() async throws {
    let world = try await World()
    try await world.open()
    try await alter(
      world,
      ["", "/", "records/3", "records/4", "records/5"].map { name in
        "INSERT INTO version_counts (tenant, document_id, version, test, name, slot, amount) "
          + "VALUES ('t1', '\(Example.documentID)', 1, 0, '\(name)', 0, \(Int32.max));"
      }.joined())
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    #expect(counts?.completed == .max)
    await world.end()
  }
}
