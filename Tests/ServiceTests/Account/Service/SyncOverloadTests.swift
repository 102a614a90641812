import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import Testing

/// A device deletes what it is told is gone: only a service that says so may lead to that.
@Suite("Bringing changes down while a service is overloaded") struct SyncOverloadTests {
  @Test(
    "what a service has no time for is not said to be gone", arguments: TestEngine.allCases,
    [StatusCode.resourceExhausted, .unavailable, .deadlineExceeded, .internal, .failedPrecondition])
  func busy(engine: TestEngine, code: StatusCode) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna, state: .awaitingSignatures))
    world.peers.store(FieldView(fieldID: "f1", version: 1, reference: FieldReference(subjectID: anna)))
    world.peers.happen(
      ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .given, state: .awaitingSignatures))
    let task = SigningTask(recordID: "r1", signatureID: "s", role: .participant, studyID: "heart", subjectID: anna)
    world.peers.set([KnownPeers.KnownTask(task: task, person: anna)])
    let known = try await world.pull(anna)
    #expect(Set(known.changes.filter { !$0.removed }.map(\.id)).isSuperset(of: ["r1", "f1", "r1/s"]))
    // All three change, and come down while their service is busy.
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna, state: .awaitingSignatures))
    world.peers.happen(
      ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .signed, state: .awaitingSignatures))
    world.peers.store(FieldView(fieldID: "f1", version: 2, reference: FieldReference(subjectID: anna)))
    for method in ["GetRecord", "GetField", "ListSigningTasks"] {
      world.peers.failReads { $0 == method ? Status(code, "the queue is full") : nil }
      if method == "GetField", code == .unavailable {
        // Fields may come later: the rest comes now, and the cursor owes them.
        let rest = try await world.pull(anna, after: known.cursor)
        #expect(rest.omitted == [.field] && rest.changes.allSatisfy { !$0.removed && $0.kind != .field })
        continue
      }
      let refused = await #expect(throws: Status.self) { try await world.pull(anna, after: known.cursor) }
      #expect(refused?.code == code, "\(method)")
    }
    world.peers.failReads { _ in nil }
    let then = try await world.pull(anna, after: known.cursor).changes
    #expect(Set(then.map(\.id)).isSuperset(of: ["r1", "f1"]) && then.allSatisfy { !$0.removed && !$0.bodies.isEmpty })
    await world.end()
  }

  @Test(
    "a table that a service has no time for is not left out for good",
    arguments: [StatusCode.resourceExhausted, .unavailable, .deadlineExceeded, .internal, .aborted])
  func busyTable(code: StatusCode) async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.store(SessionView(sessionID: "s1", version: 1), of: anna)
    world.peers.failReads { $0 == "GetOfflineBundle" ? Status(code, "changed_meanwhile: not now") : nil }
    let refused = await #expect(throws: Status.self) { try await world.pull(anna) }
    #expect(refused?.code == code)
    world.peers.failReads { _ in nil }
    let session = try #require(try await world.pull(anna).changes.first { $0.kind == .session })
    #expect(session.bodies.count == 2)
    await world.end()
  }

  @Test("what a service says is gone, erased or not the person's, is removed", arguments: TestEngine.allCases)
  func gone(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    for status in [
      Status(.notFound, "unknown_record: there is none"), Status(.permissionDenied, "not_admitted: not yours"),
      Status(.failedPrecondition, "subject_erased: the data of this subject were erased"),
    ] {
      world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna))
      world.peers.failReads { $0 == "GetRecord" ? status : nil }
      let change = try #require(try await world.pull(anna).changes.first { $0.kind == .record })
      #expect(change.removed && change.bodies.isEmpty, "\(status)")
    }
    await world.end()
  }
}
