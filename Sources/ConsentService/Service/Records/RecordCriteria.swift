internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Wire

/// By what records are chosen, for lists and for files.
protocol RecordCriteria {
  var studyID: String { get }
  var siteID: String { get }
  var subjectID: String { get }
  var documentID: String { get }
  var documentVersion: Int32 { get }
  var state: RecordState { get }
  var decidedFrom: Timestamp? { get }
  var decidedUntil: Timestamp? { get }
  var test: Bool { get }
  var kind: RecordKind { get }
  var concern: RecordConcern { get }
}

extension ListRecordsRequest: RecordCriteria {}
extension ExportRecordsRequest: RecordCriteria {}

extension RecordQuery {
  init(_ criteria: some RecordCriteria) {
    self.init(
      studyID: criteria.studyID, siteID: criteria.siteID, subjectID: criteria.subjectID,
      documentID: criteria.documentID, documentVersion: criteria.documentVersion,
      states: criteria.state == .unspecified ? [] : [criteria.state], kind: criteria.kind, concern: criteria.concern,
      from: criteria.decidedFrom?.clamped, until: criteria.decidedUntil?.clamped, isTest: criteria.test)
  }
}
