internal import Base
internal import CommonContract
package import ConsentContract
internal import Wire

/// The pages of a dossier as sections of markup.
package struct DossierPages {
  private let dossier: Dossier

  package init(_ dossier: Dossier) { self.dossier = dossier }

  package var sections: [ReviewSection] {
    [section("What this is", introduction), section("Who consented to what", overview)]
      + dossier.parts.map { section("Record \($0.record.recordID)", page(of: $0)) }
      + [
        section("Decisions, in the order that counts", decisions), section("Who looked, and who was refused", looks),
        section("The trail, by time", trail), section("How to check this without us", checking),
      ]
  }

  // MARK: Parts

  private var introduction: String {
    let request = dossier.request
    let period = [request.from.map { "from \(time($0))" }, request.until.map { "before \(time($0))" }]
    var facts = [
      ("Study", "\(dossier.study.name) (\(dossier.study.studyID))"),
      ("Participant", request.subjectID.isEmpty ? "all" : request.subjectID),
      ("Site", request.siteID.isEmpty ? "all" : request.siteID),
      ("Time", period.compactMap { $0 }.joined(separator: ", ")), ("Records", "\(dossier.parts.count)"),
      ("Decisions", "\(dossier.decisions.count)"), ("Entries of the trail", "\(dossier.trailCount)"),
      ("Made for", dossier.maker), ("Made at", TimeText.printed(dossier.made)),
    ]
    if facts[3].1.isEmpty { facts[3].1 = "without bounds" }
    return Self.facts(facts)
      + "<p>Each record is one consent or refusal: of one person, to one version of one document. The names below are "
      + "those with which people signed. Everybody else is named by identifier.</p>"
  }

  private var overview: String {
    guard !dossier.parts.isEmpty else { return "<p>No record.</p>" }
    return Self.table(
      ["Participant", "Document, version", "Yes to", "No to, also later", "State", "Decided"],
      dossier.parts.map { part in
        let record = part.record
        return [
          record.subjectID, Self.version(part), said(true, in: record), said(false, in: record),
          Self.plain(record.state), time(record.decidedAt),
        ]
      })
  }

  private func page(of part: Dossier.Part) -> String {
    let record = part.record
    var facts = [
      ("Participant", record.subjectID), ("Site", record.siteID), ("Kind", Self.plain(record.kind)),
      ("State", Self.plain(record.state)), ("Document", Self.version(part)),
      ("Hash of that version", record.versionHash),
      ("Language", record.locale), ("Hash of what was shown", record.shownHash),
      ("Yes to", said(true, in: record)), ("No to, also later", said(false, in: record)),
      ("Sharing", record.sharing == .unspecified ? "" : Self.plain(record.sharing)),
      ("Decided", time(record.decidedAt)),
      ("In force from", time(record.inForceAt)), ("Ends", time(record.expiresAt)), ("Device", record.deviceID),
      ("Assisted by", record.assistedBy), ("Attested by", record.attestedBy),
    ]
    if let copy = record.signedCopy, copy.state != .unspecified {
      facts.append(("Signed copy", "\(Self.plain(copy.state)) \(copy.level), \(copy.verificationID)"))
    }
    var markup = Self.facts(facts)
    if !record.signatures.isEmpty {
      markup += "<h4>Signatures</h4>"
      markup += Self.table(
        ["Role", "Name", "Signed", "By", "What it means"],
        record.signatures.map { signature in
          let names = [signature.printedName] + signature.corrections.map { "corrected: \($0.printedName)" }
          return [
            Self.plain(signature.role), names.joined(separator: "; "), time(signature.signedAt), signature.signer,
            signature.meaning,
          ]
        })
    }
    markup += "<h4>Every change</h4>"
    return markup
      + Self.table(
        ["No.", "When", "What", "By", "Purposes", "Why"],
        record.history.map { entry in
          [
            "\(entry.sequence)", time(entry.at), Self.plain(entry.kind), entry.actor,
            entry.purposes.joined(separator: ", "), entry.reason,
          ]
        })
  }

  /// The purposes to which somebody said yes, or no, by the decisions that have this record as their evidence.
  private func said(_ yes: Bool, in record: ConsentRecord) -> String {
    var purposes: [String] = []
    for one in dossier.decisions where one.recordID == record.recordID && one.voids == 0 && one.yes == yes {
      if !purposes.contains(one.purpose) { purposes.append(one.purpose) }
    }
    return purposes.joined(separator: ", ")
  }

  private var decisions: String {
    guard !dossier.decisions.isEmpty else { return "<p>No decision.</p>" }
    return Self.table(
      ["Participant", "No.", "Purpose", "Decision", "When", "By", "Record"],
      dossier.decisions.map { one in
        [
          one.subjectID, "\(one.number)", one.purpose, one.voids == 0 ? (one.yes ? "yes" : "no") : "void",
          time(one.decidedAt), one.actor, one.recordID,
        ]
      })
  }

  private var looks: String {
    guard !dossier.looks.all.isEmpty else { return "<p>Nobody.</p>" }
    return Self.table(
      ["Who", "By what right", "What for, or what was refused", "How often", "First", "Last"],
      dossier.looks.all.sorted { $0.key < $1.key }.map { key, times in
        [
          key.actor, key.capacity, key.isRefused ? "refused: \(key.purpose)" : key.purpose, "\(times.count)",
          TimeText.printed(times.first), TimeText.printed(times.last),
        ]
      })
  }

  private var trail: String {
    let left = dossier.trailCount - dossier.trail.count
    let note =
      left > 0
      ? "<p>These are the first \(dossier.trail.count) of \(dossier.trailCount) entries; all of them are in the "
        + "attached table trail.csv.</p>" : "<p>The attached table trail.csv has the same entries with all details.</p>"
    guard !dossier.trail.isEmpty else { return "<p>No entry.</p>" }
    return note
      + Self.table(
        ["When", "What", "Who", "About", "Thing, purpose"],
        dossier.trail.map { entry in
          let purpose = [entry.item, entry.purpose].filter { !$0.isEmpty }.joined(separator: ", ")
          return [
            time(entry.at), Self.plain(entry.kind),
            [entry.actor, entry.capacity].filter { !$0.isEmpty }
              .joined(separator: ", "), entry.subjectID, purpose,
          ]
        })
  }

  private var checking: String {
    let steps = [
      "Ask whoever runs the study, by another way than this file, for the certificate of the seal and for the public "
        + "key of evidence. Here the key is \(dossier.evidence.key), of the log \(dossier.evidence.log).",
      "Check the seal of this file with any program that knows PAdES, such as pyHanko or Adobe Acrobat, or with "
        + "‘assent verify dossier.pdf --trust seal.crt’.",
      "Save the attached files, from the viewer’s list or with ‘pdfdetach -saveall dossier.pdf’, and unpack "
        + "evidence.zip.",
      "For each record, RECORD.pdf is the copy that was signed and sealed. Check it as this file. The participant has "
        + "the same file.",
      "For each record, RECORD.json proves what is on record about it, under signed heads of the log. Check it with "
        + "‘python3 verify-evidence.py RECORD.json KEYS’, which is in the folder ‘scripts’ of Assent’s source and shares "
        + "no code with it, or with ‘assent verify evidence RECORD.json --public-key KEYS’. KEYS is a file with the "
        + "public key, 64 digits on a line. Both say as of which time.",
      "Compare with the pages above: state, version, hashes and entries are those in the evidence.",
    ]
    return "<ol>\(steps.map { "<li>\(MarkupText.escaped($0))</li>" }.joined())</ol>"
  }

  // MARK: Markup

  private func section(_ heading: String, _ html: String) -> ReviewSection {
    ReviewSection(heading: heading, html: html)
  }

  private static func version(_ part: Dossier.Part) -> String {
    let record = part.record
    guard record.kind != .form else { return "\(part.title) (\(record.flowID), version \(record.flowVersion))" }
    return "\(part.title) (\(record.documentID), version \(record.documentVersion))"
  }

  private static func plain(_ choice: some MessageEnum) -> String {
    choice.word.lowercased().split(separator: "_").joined(separator: " ")
  }

  private func time(_ time: Timestamp?) -> String { time.map { TimeText.printed($0.clamped) } ?? "" }

  private static func facts(_ lines: [(String, String)]) -> String {
    let rows = lines.filter { !$0.1.isEmpty }.map { name, value in
      "<tr><th>\(MarkupText.escaped(name))</th><td>\(MarkupText.escaped(value))</td></tr>"
    }
    return "<table><tbody>\(rows.joined())</tbody></table>"
  }

  private static func table(_ names: [String], _ lines: [[String]]) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>\(cells.map { "<\(tag)>\(MarkupText.escaped($0))</\(tag)>" }.joined())</tr>"
    }
    return "<table><thead>\(row(names, "th"))</thead><tbody>\(lines.map { row($0, "td") }.joined())</tbody></table>"
  }
}
