internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import SignatureContract

/// The settings of `assent signature`.
struct SignatureCommandSettings: SettingGroup {
  let tenant = Setting("tenant", default: "main", shown: "TENANT", "the tenant of the signatures")
  let person = Setting("as", default: "admin", shown: "NAME", "who reads an export: the name that goes on record")
  let signer = Setting<String?>(
    "signer", default: nil, shown: "NAME", "for import: the person whose field it is, who draws in it")
  let device = Setting<String?>(
    "device", default: nil, shown: "NAME", "for import: the device that made the field, at which it is drawn")
  let fit = Setting("fit", default: false, "for import: put the ink into the middle of the canvas")
  let save = Setting("save", default: false, "for import: save the signature afterwards")
  let format = Setting("format", default: StrokeFileKind.signaturePad, "the format of an export")
  let output = Setting<String?>(
    "output", default: nil, shown: "FILE", "where an export is written; standard output unless given (-o)")
  let door = DoorSettings()
}

/// A format that strokes are exported in.
enum StrokeFileKind: String, CaseIterable, SettingValue {
  case signaturePad = "signature-pad"
  case inkML = "inkml"
  case iso = "iso-19794-7"
  case stored

  var format: StrokeFormat {
    switch self {
    case .signaturePad: .signaturePad
    case .inkML: .inkml
    case .iso: .iso19794_7
    case .stored: .stored
    }
  }
}

extension Command {
  /// Strokes of signatures as files, at a shell.
  static let signature = Command(
    "signature", "draws a file of strokes in a field, and exports saved signatures",
    settings: SignatureCommandSettings(), operands: "ACTION", actions: actions, count: 2...3
  ) { settings in
    let connection = try await settings.settings(of: \.door).connect(as: "assent signature")
    switch (settings.operands[0], settings.operands.count) {
    case ("import", 3): try await importStrokes(settings, connection.channel)
    case ("export", 2): try await exportStrokes(settings, connection.channel)
    default: throw SignatureComplaint("what to do is one of: import FIELD FILE, export SIGNATURE")
    }
    try await connection.close()
  }

  private static let actions = [
    CommandAction(
      "import", "FIELD FILE", does: "draws a file of strokes in a field", settings: ["signer", "device", "fit", "save"]),
    CommandAction(
      "export", "SIGNATURE", does: "writes the strokes of a saved signature", settings: ["as", "format", "output"]),
  ]

  private static func importStrokes(
    _ settings: Settings<SignatureCommandSettings>, _ channel: BusChannel
  ) async throws {
    let client = SignatureServiceClient(channel.acting(for: try drawing(settings)))
    let (field, path) = (settings.operands[1], settings.operands[2])
    let content = try Files.read(path, limit: 4 << 20)
    var view = try await client.getField(GetFieldRequest(fieldID: field)).view ?? FieldView()
    if view.state == .inactive {
      view = try await client.tapField(TapFieldRequest(fieldID: field, expectedVersion: view.version)).view ?? view
    }
    let answer = try await client.importStrokes(
      ImportStrokesRequest(
        fieldID: field, expectedVersion: view.version, content: content, fit: settings[\.fit]))
    view = answer.view ?? view
    say("✓ \(path)  \(view.strokeCount) strokes, \(view.pointCount) points, \(view.droppedPoints) outside")
    guard settings[\.save] else { return }
    let request = SaveFieldRequest(fieldID: field, expectedVersion: view.version, drawnWith: "file")
    let saved = try await client.saveField(request).view?.saved
    say("✓ saved as \(saved?.signatureID ?? "")")
  }

  /// The caller who draws: the person whose field it is, or the device that created the field.
  private static func drawing(_ settings: Settings<SignatureCommandSettings>) throws -> CallerIdentity {
    switch (settings[\.signer], settings[\.device]) {
    case (let signer?, nil): CallerIdentity(kind: .person, tenant: settings[\.tenant], subject: signer)
    case (nil, let device?):
      CallerIdentity(kind: .device, tenant: settings[\.tenant], subject: device, device: device)
    default: throw SignatureComplaint("who draws? give --signer, the person, or --device, the device")
    }
  }

  private static func exportStrokes(
    _ settings: Settings<SignatureCommandSettings>, _ channel: BusChannel
  ) async throws {
    let reader = CallerIdentity(
      kind: .person, tenant: settings[\.tenant], subject: settings[\.person], grants: ["admin@*"])
    let answer = try await SignatureServiceClient(channel.acting(for: reader)).exportStrokes(
      ExportStrokesRequest(signatureID: settings.operands[1], format: settings[\.format].format))
    guard let output = settings[\.output] else { return sayBytes(answer.content) }
    try Files.write(answer.content, to: output)
    say("✓ \(output)  \(answer.content.count) bytes, \(answer.mediaType)")
  }
}

private struct SignatureComplaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
