import ConsentContract
import Wire

extension Row {
  private static let drawing = Array(
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"></path></svg>".utf8)

  static let documents: [Row] = [
    Row("DocumentService/CreateDocument", study) { clients, target in
      try await clients.documents.createDocument(
        CreateDocumentRequest(studyID: target.study, documentID: "no name"))
    },
    Row("DocumentService/GetDocument", study) { clients, target in
      try await clients.documents.getDocument(GetDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/ListDocuments", study) { clients, target in
      try await clients.documents.listDocuments(ListDocumentsRequest(studyID: target.study))
    },
    Row("DocumentService/CreateDocumentDraft", study) { clients, target in
      try await clients.documents.createDocumentDraft(CreateDocumentDraftRequest(documentID: target.document))
    },
    Row("DocumentService/UpdateDocumentDraft", study) { clients, target in
      try await clients.documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/PublishDocumentDraft", study) { clients, target in
      try await clients.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/DiscardDocumentDraft", study) { clients, target in
      try await clients.documents.discardDocumentDraft(
        DiscardDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/ReinstateDocumentVersion", study) { clients, target in
      try await clients.documents.reinstateDocumentVersion(
        ReinstateDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/ListDocumentVersions", study) { clients, target in
      try await clients.documents.listDocumentVersions(ListDocumentVersionsRequest(documentID: target.document))
    },
    Row("DocumentService/SetDocumentTranslation", study) { clients, target in
      try await clients.documents.setDocumentTranslation(
        SetDocumentTranslationRequest(
          documentID: target.document, version: 1, text: DocumentText(locale: "no locale")))
    },
    Row("DocumentService/RetireDocumentVersion", study) { clients, target in
      try await clients.documents.retireDocumentVersion(
        RetireDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/StopDocumentVersion", study) { clients, target in
      try await clients.documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/DiffDocumentVersions", study) { clients, target in
      try await clients.documents.diffDocumentVersions(
        DiffDocumentVersionsRequest(documentID: target.document, fromVersion: 1, toVersion: 1))
    },
    Row("DocumentService/ValidateDocument", study) { clients, target in
      try await clients.documents.validateDocument(ValidateDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/ValidateDocument", tenant) { clients, _ in
      try await clients.documents.validateDocument(ValidateDocumentRequest())
    },
    Row("DocumentService/PreviewDocument", study) { clients, target in
      try await clients.documents.previewDocument(PreviewDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/PreviewDocumentCopy", study) { clients, target in
      try await clients.documents.previewDocumentCopy(PreviewDocumentCopyRequest(documentID: target.document))
    },
    Row("DocumentService/ImportDocument", study) { clients, target in
      try await clients.documents.importDocument(
        ImportDocumentRequest(
          studyID: target.study, file: DocumentFile(format: 1, documentID: "no name")))
    },
    Row("DocumentService/ExportDocument", study) { clients, target in
      try await clients.documents.exportDocument(ExportDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/CreateAsset", tenant) { clients, _ in
      try await clients.documents.createAsset(CreateAssetRequest(kind: .svg, data: drawing))
    },
    Row("DocumentService/GetAsset", tenant) { clients, _ in
      try await clients.documents.getAsset(GetAssetRequest(hash: "none"))
    },
  ]
}
