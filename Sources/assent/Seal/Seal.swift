internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServiceKit

/// The settings of `assent seal`.
struct SealFileSettings: SettingGroup {
  let output = Setting<String>(required: "output", shown: "FILE", "the sealed file to write (-o)")
  let level = Setting(
    "level", default: LevelName.basic,
    "the level of PAdES to reach at least: who, when, with proofs, with a time over them")
  let permit = Setting<PermitName?>(
    "permit", default: nil, "certify the document, which only its first signature can, and say what may follow")
  let field = Setting<String?>(
    "field", default: nil, shown: "NAME",
    "the field to sign; unless given, the first empty one, or a new one that is not seen")
  let show = Setting<PlaceName?>(
    "show", default: nil,
    "a new field that is seen: its page, and left, bottom, width and height in points")
  let reason = Setting("reason", default: "", shown: "TEXT", "why it is sealed, as the file states it")
  let location = Setting("location", default: "", shown: "TEXT", "where, as the file states it")
  let tenant = Setting("tenant", default: "main", shown: "TENANT", "the tenant whose seal it is")
  let name = Setting("as", default: "admin", shown: "NAME", "the administrator who goes on record for it")
  let door = DoorSettings()
}

/// A level, as typed on the command line.
enum LevelName: String, CaseIterable, SettingValue {
  case basic = "B-B"
  case timed = "B-T"
  case longTerm = "B-LT"
  case archived = "B-LTA"

  var level: Level { Level(rawValue: rawValue) ?? .basic }
}

/// What a certified document permits, as typed on the command line.
enum PermitName: String, CaseIterable, SettingValue {
  case nothing, signing

  var permission: SealRequest.Permission { self == .nothing ? .nothing : .signing }
}

/// A place on a page, as typed on the command line.
struct PlaceName: SettingValue {
  static let placeholder = "PAGE,X,Y,WIDTH,HEIGHT"
  let place: SealPlace

  init(setting text: String) throws(SettingValueError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().compactMap { Double($0) }
    guard parts.count == 5, numbers.count == 4, let page = Int(parts[0]), page > 0 else {
      throw SettingValueError("must be a page and four numbers of points, as 1,36,36,160,48")
    }
    place = SealPlace(page: page, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  var settingText: String {
    "\(place.page),\(place.x),\(place.y),\(place.width),\(place.height)"
  }
}

extension Command {
  /// Seals a file that is no record. It is read, signed and checked here: the installation learns its hash alone.
  static let seal = Command(
    "seal", "seals a PDF file of one's own with a tenant's seal", settings: SealFileSettings(),
    operands: "FILE.pdf", count: 1...1, notes: notes
  ) { settings in
    let path = settings.operands[0]
    let pdf = try Files.read(path, limit: mostBytes)
    let door = try await ConsentDoor.open(settings.settings(of: \.door), as: "assent seal")
    let client = door.client(settings[\.name], tenant: settings[\.tenant], kind: .person, grants: ["admin@*"])
    let sealed: FileSeal
    do {
      sealed = try await FileSeal(pdf, settings, client.records)
    } catch let error as SealingError {
      throw ConsentComplaint("\(path): \(error)")
    }
    try await door.close()
    guard sealed.level >= settings[\.level].level else {
      throw ConsentComplaint(
        "\(path) reaches \(sealed.level.rawValue) only, and nothing was written: \(sealed.problem); "
          + "--level \(sealed.level.rawValue) is content with that")
    }
    try Files.write(sealed.bytes, to: settings[\.output])
    say("✓ \(settings[\.output])  PAdES \(sealed.level.rawValue), sealed by \(sealed.sealedBy)")
    if !sealed.problem.isEmpty { say("  ! \(sealed.problem)") }
  }

  private static let mostBytes = 50 << 20
  private static let notes = [
    "The file stays here: the installation gets its SHA-256, signs it with the tenant's key, and keeps on record that",
    "it did and for whom. What cannot be read in one way only is refused, and so is what forbids another signature.",
  ]
}

/// A file that was sealed with a tenant's key.
private struct FileSeal {
  let bytes: [UInt8]
  let level: Level
  let sealedBy: String
  /// What is missing, and why; empty if nothing is.
  private(set) var problem: String

  init(_ pdf: [UInt8], _ settings: Settings<SealFileSettings>, _ records: RecordServiceClient) async throws {
    let now = Clock.system.now
    let wanted = settings[\.level].level
    var request = SealRequest(field: settings[\.field], permission: settings[\.permit]?.permission)
    request.place = settings[\.show]?.place
    (request.reason, request.location) = (settings[\.reason], settings[\.location])
    let draft = try SealDraft(pdf, request, at: now)
    let part: SealFilePart = wanted >= .longTerm ? .sealWithProofs : .seal
    let answer = try await records.sealFile(SealFileRequest(digest: draft.digest, part: part), deadline: patience)
    var bytes = try draft.complete(with: answer.signature)
    (problem, sealedBy) = (answer.problem, answer.sealedBy)
    if !answer.certificates.isEmpty {
      bytes = try Sealer.addProofs(
        to: bytes, certificates: answer.certificates.compactMap { Certificate(der: $0) }, lists: answer.lists,
        answers: answer.answers)
      if wanted == .archived {
        let whole = try SealDraft(bytes, SealRequest(), at: nil)
        let time = try await records.sealFile(
          SealFileRequest(digest: whole.digest, part: .time), deadline: patience)
        if time.problem.isEmpty { bytes = try whole.complete(with: time.signature) } else { problem = time.problem }
      }
    }
    // Whoever sealed it is another process: what came back is checked as anybody would.
    let report = DocumentVerifier(trusting: Trust(), at: now).verify(bytes)
    let own = report.signatures.last { $0.kind != .documentTime }
    guard report.isReadable, report.verdict != .failed, let own, own.isIntact, own.isChecked,
      let level = try Sealer.level(of: bytes, at: now)
    else { throw SealingError.refused(report.summary) }
    (self.bytes, self.level) = (bytes, level)
    if level < wanted, problem.isEmpty { problem = level == .basic ? noAuthority : "what was found does not prove it" }
  }
}

private let noAuthority = "no authority for the time is set where it was sealed"
private let patience = Duration.seconds(60)
