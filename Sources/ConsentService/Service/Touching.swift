public import ConsentContract
public import ServicePolicy

// The data that a call touches if it is about one of these things.

extension ConsentStudy: Touching {
  public var touched: [Touched] { [.study(studyID)] }
}

extension ConsentDocument: Touching {
  public var touched: [Touched] { [.study(studyID)] }
}

extension ConsentFlow: Touching {
  public var touched: [Touched] { [.study(studyID)] }
}

extension ConsentRecord: Touching {
  public var touched: [Touched] { [.person(subjectID, in: studyID, site: siteID)] }
}

extension SigningTask: Touching {
  public var touched: [Touched] { [Touched.person(subjectID, in: studyID, site: siteID).signed(as: role)] }
}

extension SessionSummary: Touching {
  public var touched: [Touched] { [.person(subjectID, in: studyID, site: siteID)] }
}

extension StoredSession: Touching {
  var touched: [Touched] {
    var touched = Touched.person(subjectID, in: studyID, site: siteID)
    touched.assistant = assistant
    return [touched]
  }
}
