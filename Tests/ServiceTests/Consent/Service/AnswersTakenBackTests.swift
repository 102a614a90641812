import ConsentContract
import ConsentDomain
import Testing

@Suite("Which events take back answers that were given before them")
struct AnswersTakenBackTests {
  private static let kinds: [(ConsentEventKind, takesBack: Bool)] = [
    (.studyChanged, false), (.textsChanged, false), (.draftChanged, false), (.approvalRequested, false),
    (.translationAdded, false), (.sessionStarted, false), (.sessionActed, false), (.sessionEnded, false),
    (.personalDataRead, false), (.accessDenied, false), (.legalHoldChanged, false), (.invitationChanged, false),
    (.consentDue, false), (.versionPublished, true), (.versionRetired, true), (.versionStopped, true),
    (.subjectErased, true), (.subjectsMerged, true),
  ]

  private static let entries: [(EntryKind, takesBack: Bool)] = [
    (.given, false), (.declined, false), (.signed, false), (.inForce, false), (.paperRegistered, false),
    (.rendered, false), (.withdrawn, true), (.sharingChanged, true), (.superseded, true), (.expired, true),
    (.needsAttention, true),
  ]

  @Test("each kind of event takes back what it can take back")
  func events() {
    for (kind, takesBack) in Self.kinds {
      #expect(ConsentEvent(kind: kind).takesAnswersBack == takesBack, "\(kind)")
    }
  }

  @Test("entries that only add to a consent take nothing back")
  func recordEntries() {
    for (entry, takesBack) in Self.entries {
      #expect(ConsentEvent(kind: .recordEntry, entry: entry).takesAnswersBack == takesBack, "\(entry)")
    }
  }

  @Test("a kind that is not known takes answers back")
  func unknown() {
    #expect(ConsentEvent(kind: .unrecognized(99)).takesAnswersBack)
    #expect(ConsentEvent(kind: .recordEntry, entry: .unrecognized(99)).takesAnswersBack)
  }
}
