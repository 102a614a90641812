import ConsentContract
import ConsentDomain
import Testing

@Suite("What events do to answers that were given before them")
struct AnswerEffectTests {
  /// Every kind that the contract knows, and what it does.
  private static let kinds: [(ConsentEventKind, AnswerEffect.Reach, takesBack: Bool)] = [
    (.studyChanged, .none, false), (.textsChanged, .none, false), (.draftChanged, .none, false),
    (.approvalRequested, .none, false), (.translationAdded, .none, false), (.sessionStarted, .none, false),
    (.sessionActed, .none, false), (.sessionEnded, .none, false), (.personalDataRead, .none, false),
    (.accessDenied, .none, false),
    (.legalHoldChanged, .none, false), (.invitationChanged, .none, false), (.consentDue, .none, false),
    (.versionPublished, .tenant, true), (.versionRetired, .tenant, true), (.versionStopped, .tenant, true),
    (.subjectErased, .subject, true), (.subjectsMerged, .subject, true),
  ]

  private static let entries: [(EntryKind, takesBack: Bool)] = [
    (.given, false), (.declined, false), (.signed, false), (.inForce, false), (.paperRegistered, false),
    (.rendered, false), (.withdrawn, true), (.sharingChanged, true), (.superseded, true), (.expired, true),
    (.needsAttention, true),
  ]

  @Test("each kind of event reaches whom it concerns, and takes back what it can take back")
  func events() {
    for (kind, reach, takesBack) in Self.kinds {
      let effect = AnswerEffect.of(
        ConsentEvent(kind: kind, subjectID: reach == .subject ? "s1" : "", documentID: "d"))
      #expect(effect.reach == reach && effect.takesBack == takesBack, "\(kind)")
    }
  }

  @Test("an entry of a record reaches its subject; those that only add to a consent take nothing back")
  func recordEntries() {
    for (entry, takesBack) in Self.entries {
      let effect = AnswerEffect.of(ConsentEvent(kind: .recordEntry, subjectID: "s1", entry: entry))
      #expect(effect.reach == .subject && effect.takesBack == takesBack, "\(entry)")
    }
  }

  @Test("a kind that is not known takes back everything that it may concern")
  func unknown() {
    #expect(AnswerEffect.of(ConsentEvent(kind: .unrecognized(99), subjectID: "s1")).takesBack)
    #expect(AnswerEffect.of(ConsentEvent(kind: .unrecognized(99))).reach == .tenant)
    #expect(AnswerEffect.of(ConsentEvent(kind: .recordEntry, subjectID: "s1", entry: .unrecognized(99))).takesBack)
  }
}
