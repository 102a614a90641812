internal import Base
package import ConsentContract
internal import Wire

/// The first page of the copy of a consent on paper: what it is, whose, when it was signed, and who has recorded it.
package struct CoverPage {
  private let document: ScriptDocument
  private let own: OwnMarkup

  package init(_ document: ScriptDocument, _ texts: ScreenTexts) {
    self.document = document
    own = OwnMarkup(texts, in: document.text.locale)
  }

  /// - Parameter picture: the name of the scan as a picture; nil if it is attached.
  package func markup(of record: ConsentRecord, picture: String?) -> String {
    let recorded = record.history.first ?? RecordEntry()
    let version = own.text(.copyVersion, ["version": String(document.version)])
    let lines: [OwnMarkup.Line] = [
      (own.said(.paperPerson), MarkupText.escaped(record.subjectID)),
      (own.said(.paperDocument), "\(MarkupText.escaped(document.text.title)), \(MarkupText.escaped(version))"),
      (own.said(.paperSigned), Self.time(record.decidedAt)),
      (own.said(.paperAttested), MarkupText.escaped(record.attestedBy)),
      (own.said(.paperRecorded), "\(MarkupText.escaped(recorded.actor)), \(Self.time(recorded.at))"),
    ]
    let title = "<h1>\(MarkupText.escaped(document.text.title))</h1><h2>\(own.said(.paperTitle))</h2>"
    let scan =
      picture.map { "<p><img src=\"asset:\($0)\" alt=\"\(MarkupText.escaped(own.text(.paperScan)))\"/></p>" }
      ?? "<p>\(own.said(.paperAttached))</p>"
    return "\(title)\(own.table(lines))<h2>\(own.said(.paperScan))</h2>\(scan)"
  }

  private static func time(_ time: Timestamp?) -> String { TimeText.printed(time.orEpoch, offsetMinutes: 0) }
}
