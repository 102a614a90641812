public import ConsentContract
public import ServicePolicy

// The data that a call touches if it is about one of these things.

extension ConsentStudy: AccessTargeted {
  public var accessTargets: [AccessTarget] { [.study(studyID)] }
}

extension ConsentDocument: AccessTargeted {
  public var accessTargets: [AccessTarget] { [.study(studyID)] }
}

extension ConsentFlow: AccessTargeted {
  public var accessTargets: [AccessTarget] { [.study(studyID)] }
}

extension ConsentRecord: AccessTargeted {
  public var accessTargets: [AccessTarget] {
    var touched = AccessTarget.person(subjectID, in: studyID, site: siteID)
    touched.session = sessionID.isEmpty ? nil : sessionID
    return [touched]
  }
}

extension SigningTask: AccessTargeted {
  public var accessTargets: [AccessTarget] {
    [AccessTarget.person(subjectID, in: studyID, site: siteID).signed(as: role)]
  }
}

extension SessionSummary: AccessTargeted {
  public var accessTargets: [AccessTarget] { [.person(subjectID, in: studyID, site: siteID)] }
}

extension StoredSession: AccessTargeted {
  var accessTargets: [AccessTarget] {
    var touched = AccessTarget.person(subjectID, in: studyID, site: siteID)
    touched.assistant = assistant
    touched.session = id
    return [touched]
  }
}
