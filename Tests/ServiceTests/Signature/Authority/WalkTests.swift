import AuthorityKit
import Bus
import CommonContract
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Everybody calls everything: what SignatureService and RenderService do is compared with the test's own reading of
/// the contract.
@Suite("Everybody calls everything about signatures", .timeLimit(.minutes(10))) struct WalkTests {
  private enum Outcome {
    case denied
    case admitted(answer: String)
    /// Admitted, and not done for another reason.
    case failed(Status)
  }

  private func outcome(of row: SignatureRow, by channel: BusChannel, on target: FieldTarget) async -> Outcome {
    do {
      return .admitted(answer: "\(try await row.call(channel, target))")
    } catch let status as Status {
      let isDenied = status.code == .permissionDenied || status.code == .unauthenticated
      return isDenied ? .denied : .failed(status)
    } catch {
      return .admitted(answer: "\(error)")
    }
  }

  private func channel(of actor: Actor, _ bench: SignatureBench) -> BusChannel {
    actor.kind == .service ? bench.bus.channel().acting(for: actor.identity) : bench.bus.channel(for: actor.identity)
  }

  /// A field of each target with a name saved in it, made by the target's device.
  private func fill(_ bench: SignatureBench) async throws -> [FieldTarget] {
    var targets: [FieldTarget] = []
    for place in FieldTarget.places {
      let device = Actor(name: place.device, kind: .device, tenant: place.tenant)
      var field = try await FieldDriver.create(
        SignatureServiceClient(channel(of: device, bench)), subject: place.subject, study: place.study,
        site: place.site, session: "session-\(place.subject)")
      try await field.tap()
      try await field.type("Ada Lovelace")
      var target = place
      target.view = field.view
      targets.append(target)
    }
    return targets
  }

  @Test("every method of the signature services has a row")
  func complete() throws {
    let methods = try PermissionTable().rules.keys.filter { name in
      ["SignatureService/", "RenderService/", "PaperService/", "SealService/"].contains(where: name.hasPrefix)
    }
    #expect(Set(SignatureRow.all.map(\.method)) == Set(methods))
  }

  @Test("every method, by everybody, on one's own and others' fields, sites, studies and tenants, as the contract says")
  func walk() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    bench.bus.serve([SealBench.papers(), try SealBench.seals()])
    let targets = try await fill(bench)
    let model = Model(rules: try PermissionTable().rules, facts: Facts())
    let errors = try StatedErrors()
    var (calls, admitted, unstated) = (0, 0, Set<String>())
    for (number, actor) in Actor.everybody.enumerated() {
      let channel = channel(of: actor, bench)
      for (place, target) in targets.enumerated() {
        // Each person meets each method, on half of all targets; a long test leaves nothing out.
        for (index, row) in SignatureRow.all.enumerated()
        where LongTests.areWanted || (number + place + index).isMultiple(of: 2) {
          let outcome = await outcome(of: row, by: channel, on: target)
          calls += 1
          if !actor.tenant.isEmpty, actor.tenant != target.tenant {
            if case .admitted(let answer) = outcome {
              #expect(!target.marks.contains(where: answer.contains), "\(actor.description) \(row.method): \(answer)")
            }
            continue
          }
          let expected = model.may(actor, row.method, row.thing(target))
          switch outcome {
          case .denied:
            if expected { Issue.record("\(actor.description) was refused \(row.method) on \(target.subject)") }
          case .admitted(let answer):
            admitted += 1
            if !expected { Issue.record("\(actor.description) got \(row.method) on \(target.subject): \(answer)") }
          case .failed(let status):
            admitted += 1
            if let misfit = errors.misfit(status, of: row.method) { unstated.insert(misfit) }
            if !expected {
              Issue.record("\(actor.description) was let to \(row.method) on \(target.subject): \(status)")
            }
          }
        }
      }
    }
    #expect(calls > 2000 && admitted > 200, "\(calls) calls, \(admitted) admitted")
    #expect(unstated.sorted() == [], "the contract names the code, or no method answers with it")
  }

  @Test("a list of fields shows what may be read one by one, and all of it; a trail stays in its study")
  func lists() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    // In one session several people sign, at several devices.
    var fields: [FieldTarget] = []
    for place in FieldTarget.places where place.tenant == "t1" {
      let device = Actor(name: place.device, kind: .device, tenant: place.tenant)
      var target = place
      target.view = try await FieldDriver.create(
        SignatureServiceClient(channel(of: device, bench)), subject: place.subject, study: place.study,
        site: place.site, session: "together"
      ).view
      fields.append(target)
    }
    var (rows, left) = (0, 0)
    for actor in Actor.everybody where !actor.tenant.isEmpty {
      let client = SignatureServiceClient(channel(of: actor, bench))
      var readable: [String] = []
      for field in fields {
        if (try? await client.getField(GetFieldRequest(fieldID: field.view.fieldID))) != nil {
          readable.append(field.view.fieldID)
        }
      }
      let listed = try? await client.listFields(ListFieldsRequest(sessionID: "together")).views.map(\.fieldID)
      #expect((listed ?? []).sorted() == readable.sorted(), "\(actor.description)")
      rows += readable.count
      left += fields.count - readable.count
      for study in ["heart", "lung"] {
        let trail = try? await client.listSignatureTrail(ListSignatureTrailRequest(studyID: study, pageSize: 500))
        #expect(trail?.entries.allSatisfy { $0.studyID == study } != false, "\(actor.description)")
        for revision in fields where !readable.contains(revision.view.fieldID) {
          let revisions = try? await client.listRevisions(ListRevisionsRequest(fieldID: revision.view.fieldID))
          #expect(revisions == nil, "\(actor.description) \(revision.subject)")
        }
      }
    }
    #expect(rows > 20 && left > 20, "\(rows) shown, \(left) left out")
  }

  @Test("a render worker gets a saved signature only for a caller who may have its picture, and the reading is theirs")
  func workers() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let bus = InProcessBus()
    bus.serve([SignatureHandlers(data: bench.data, pictures: SignatureBench.maker())])
    bus.serve([SignatureBench.render(from: RemoteSignatures(channel: bus.channel()))])
    let field = try await FieldDriver.signed(bench.device())
    let request = RenderRequest(source: .signatureID(try #require(field.view.saved).signatureID))
    func worker(_ kind: CallerKind, _ name: String, _ grants: [String] = []) -> RenderServiceClient {
      let identity = CallerIdentity(kind: kind, tenant: "clinic", subject: name, device: name, grants: grants)
      return RenderServiceClient(bus.channel(for: identity))
    }
    var strangers = ["tablet-8", "subject-1"].map { worker(.device, $0) }
    strangers += [[], ["inspector@study-2"], ["publisher@study-1"]].map { worker(.person, "eve", $0) }
    for stranger in strangers {
      let refusal = await status { _ = try await stranger.render(request) }
      #expect(refusal?.code == .permissionDenied)
    }
    _ = try await worker(.device, "tablet-7").render(request)
    _ = try await worker(.person, "subject-1").render(request)
    for _ in 0..<20 { _ = try await worker(.person, "ian", ["inspector@study-1"]).render(request) }
    let reads = try await bench.accesses().filter { $0.kind == .read && $0.actor == "ian" }
    #expect(reads.count == 20 && reads.allSatisfy { $0.purpose == "signature picture" }, "each picture is on record")
  }
}
