internal import Base
package import Bus
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import SignatureContract
package import Storage
internal import Wire

/// The processes that lay documents out, and those that seal, over the bus.
package struct BusPapers: CopyPapers {
  private let channel: BusChannel

  package init(_ channel: BusChannel) {
    self.channel = channel
  }

  package func compose(_ paper: CopyPaper, tenant: Tenant) async throws -> [UInt8] {
    let channel = channel.acting(for: .consent(tenant))
    let signatures = BusSignatures(self.channel)
    var images: [String: PaperSignature.Image] = [:]
    for (id, image) in paper.images {
      images[id] = try await failing(while: .drawing) {
        switch image {
        case .typed(let typed): return .typed(TypedName(text: typed.text, font: typed.font))
        case .saved(let saved, let hash):
          switch try await signatures.content(ofSaved: saved, hash: hash, tenant: tenant) {
          case .typed(let name): return .typed(name)
          case .drawn(let blob): return .blob(blob)
          }
        }
      }
    }
    let request = ComposeDocumentRequest(paper: Paper(paper, images: images))
    return try await failing(while: .composing) {
      try await PaperServiceClient(channel).composeDocument(request, deadline: Self.patience).content
    }
  }

  package func seal(_ digest: [UInt8], tenant: Tenant) async throws -> CopySeal {
    try await failing(while: .sealing) {
      let client = SealServiceClient(channel.acting(for: .consent(tenant)))
      let answer = try await client.sealDocument(SealDocumentRequest(digest: digest), deadline: Self.patience)
      return CopySeal(
        signature: answer.signature, level: answer.level, timeProblem: answer.timeProblem, sealedBy: answer.sealedBy)
    }
  }

  package func addTime(to signature: [UInt8], tenant: Tenant) async throws -> CopySeal {
    try await failing(while: .sealing) {
      let client = SealServiceClient(channel.acting(for: .consent(tenant)))
      let answer = try await client.addSealTime(AddSealTimeRequest(signature: signature), deadline: Self.patience)
      return CopySeal(
        signature: answer.signature, level: answer.level, timeProblem: answer.timeProblem, sealedBy: "")
    }
  }

  package func proofs(of signature: [UInt8], tenant: Tenant) async throws -> CopyProofs {
    try await failing(while: .sealing) {
      let client = SealServiceClient(channel.acting(for: .consent(tenant)))
      let answer = try await client.findSealProofs(
        FindSealProofsRequest(signature: signature), deadline: Self.patience)
      return CopyProofs(
        certificates: answer.certificates, lists: answer.lists, answers: answer.answers, problem: answer.problem)
    }
  }

  package func attest(_ digest: [UInt8], tenant: Tenant) async throws -> (token: [UInt8], problem: String) {
    try await failing(while: .sealing) {
      let client = SealServiceClient(channel.acting(for: .consent(tenant)))
      let answer = try await client.attestDocument(AttestDocumentRequest(digest: digest), deadline: Self.patience)
      return (answer.token, answer.problem)
    }
  }

  private static let patience = Duration.seconds(60)

  private func failing<Answer>(
    while step: CopyProblem.Step, _ call: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await call()
    } catch let status as Status {
      throw CopyFailure(status, while: step)
    }
  }
}

extension Paper {
  fileprivate init(_ paper: CopyPaper, images: [String: PaperSignature.Image]) {
    let review = paper.review
    self.init(
      title: review.title, language: review.locale, sheet: review.paper == .letter ? .letter : .a4,
      marginPt: review.marginPt,
      sections: review.sections.map {
        PaperSection(
          heading: $0.heading, html: $0.html, headingLanguage: paper.headingLanguages[$0.sectionID] ?? "")
      },
      separateHTML: review.separateHTML, signatureTitle: review.signaturePage?.title ?? "",
      signatureContent: ReviewComposer.paragraphs(review.signaturePage?.content ?? "") + paper.choices,
      signatures: (review.signaturePage?.blocks ?? []).map { block in
        PaperSignature(
          title: block.title, role: paper.roles[block.signatureID]?.text ?? "", meaning: block.meaning,
          printedName: block.printedName, printedTime: block.printedTime, image: images[block.signatureID],
          showsImage: block.showsImage, showsName: block.showsName,
          roleLanguage: paper.roles[block.signatureID]?.locale ?? "",
          timeLanguage: paper.timeLanguages[block.signatureID] ?? "")
      },
      header: paper.header, footer: review.footer, watermark: paper.watermark,
      pictures: paper.pictures.map { PaperPicture(name: $0.hash, data: $0.data) },
      attachments: paper.attachments.map {
        PaperAttachment(name: $0.name, mediaType: $0.mediaType, description: $0.description, data: $0.bytes)
      },
      author: paper.author, createdAt: Timestamp(paper.created),
      verificationAddress: paper.verificationAddress, sealable: paper.isSealable,
      signatureTitleLanguage: paper.signatureTitleLanguage)
  }
}

extension CallerIdentity {
  /// ConsentService itself, for a tenant.
  static func consent(_ tenant: Tenant) -> CallerIdentity {
    CallerIdentity(kind: .service, tenant: tenant.id, subject: "consent")
  }
}
