internal import Base
internal import ConsentContract
internal import Wire

/// One statement of a document, in words that a person can read: `settings.age.minimum_age` is "18".
struct DocumentFact: Hashable {
  let field: String
  let words: String

  init(_ field: String, _ words: String) {
    self.field = field
    self.words = words
  }

  init(_ field: String, _ number: Int32) { self.init(field, number == 0 ? "" : String(number)) }
  init(_ field: String, _ flag: Bool) { self.init(field, flag ? "yes" : "no") }
  /// A time, in the form that people write.
  init(_ field: String, time: Timestamp?) { self.init(field, time.map { TimeText.rfc3339($0.clamped) } ?? "") }
  /// A value of an enum: `dataGathering` becomes "data gathering".
  init(_ field: String, choice: some MessageEnum) {
    let name = "\(choice)".reduce(into: "") { words, letter in
      if letter.isUppercase { words += " " }
      words += letter.lowercased()
    }
    self.init(field, choice.number == 0 ? "" : name)
  }
}

/// An item of a list with its name and its content.
struct DocumentItem: Hashable {
  let name: String
  /// A short summary, which a diff shows for an item that was added or removed.
  let summary: String
  let facts: [DocumentFact]
}

extension DocumentSettings {
  var sectionItems: [DocumentItem] {
    sections.map { section in
      DocumentItem(
        name: section.id, summary: DocumentFact("", choice: section.type).words,
        facts: [
          DocumentFact("type", choice: section.type),
          DocumentFact("omit_from_document", section.omitFromDocument),
          DocumentFact("image_asset", section.imageAsset),
          DocumentFact("animation_asset", section.animationAsset), DocumentFact("still_asset", section.stillAsset),
        ])
    }
  }

  var signatureItems: [DocumentItem] {
    signatures.map { signature in
      DocumentItem(
        name: signature.id, summary: DocumentFact("", choice: signature.role).words,
        facts: [
          DocumentFact("role", choice: signature.role), DocumentFact("order", signature.order),
          DocumentFact("requires_name", signature.requiresName),
          DocumentFact("requires_image", signature.requiresImage),
          DocumentFact("refuses_typed", signature.refusesTyped),
          DocumentFact("requires_reauthentication", signature.requiresReauthentication),
          DocumentFact("allows_uploaded", signature.allowsUploaded),
          DocumentFact("allows_reused", signature.allowsReused), DocumentFact("initials", signature.initials),
        ])
    }
  }

  var purposeItems: [DocumentItem] {
    purposes.map { purpose in
      DocumentItem(name: purpose.code, summary: purpose.code, facts: [DocumentFact("optional", purpose.optional)])
    }
  }

  var questionItems: [DocumentItem] {
    (comprehension?.questions ?? []).map { question in
      let choices = question.choices.map(\.id).joined(separator: ", ")
      let right = question.choices.filter(\.correct).map(\.id) + question.acceptedAnswers
      let isMarked = question.rightAnswer != .unspecified
      return DocumentItem(
        name: question.id, summary: DocumentFact("", choice: question.kind).words,
        facts: [
          DocumentFact("kind", choice: question.kind), DocumentFact("choices", choices),
          DocumentFact("on_copy", question.onCopy),
          DocumentFact("right_answers", right.joined(separator: ", ")), DocumentFact("optional", question.optional),
          DocumentFact("right_answer", isMarked ? DocumentFact("", choice: question.rightAnswer).words : ""),
        ])
    }
  }

  /// All settings that are not lists.
  var facts: [DocumentFact] {
    [
      DocumentFact("comprehension.pass_mark", comprehension?.passMark ?? 0),
      DocumentFact("comprehension.attempts", comprehension?.attempts ?? 0),
      DocumentFact(
        "comprehension.after_failed_attempt", choice: comprehension?.afterFailedAttempt ?? .unspecified),
      DocumentFact("comprehension.renewed_after", comprehension?.renewedAfter.map { "\($0.seconds) s" } ?? ""),
      DocumentFact("comprehension.renewed_by", choice: comprehension?.renewedBy ?? .unspecified),
      DocumentFact("age.minimum_age", age?.minimumAge ?? 0), DocumentFact("age.majority_age", age?.majorityAge ?? 0),
      DocumentFact("age.assent_age", age?.assentAge ?? 0),
      DocumentFact("ethics.number", ethics?.number ?? ""), DocumentFact("ethics.committee", ethics?.committee ?? ""),
      DocumentFact("ethics.valid_from", time: ethics?.validFrom),
      DocumentFact("ethics.valid_until", time: ethics?.validUntil),
      DocumentFact("validity.offered_from", time: validity?.offeredFrom),
      DocumentFact("validity.offered_until", time: validity?.offeredUntil),
      DocumentFact("validity.lasts_days", validity?.lastsDays ?? 0),
      DocumentFact("reconsent", choice: reconsent), DocumentFact("reconsent_by", time: reconsentBy),
      DocumentFact("decline_effect", choice: declineEffect),
      DocumentFact("in_force_from", choice: inForceFrom),
      DocumentFact("signatures_within_days", signaturesWithinDays),
      DocumentFact("without_scroll_gate", withoutScrollGate),
      DocumentFact("offers_sharing", offersSharing), DocumentFact("signers_may_coincide", signersMayCoincide),
      DocumentFact("controller.name", controller?.name ?? ""),
      DocumentFact("controller.address", controller?.address ?? ""),
      DocumentFact("controller.email", controller?.email ?? ""),
      DocumentFact("controller.phone", controller?.phone ?? ""), DocumentFact("controller.url", controller?.url ?? ""),
      DocumentFact("controller.contact", controller?.contact ?? ""), DocumentFact("withdrawal_url", withdrawalURL),
      DocumentFact("recap", recap), DocumentFact("names_on_pages", namesOnPages),
    ]
  }
}

extension DocumentText {
  var sectionItems: [DocumentItem] {
    sections.map { words in
      DocumentItem(
        name: words.sectionID, summary: words.title,
        facts: [
          DocumentFact("title", words.title), DocumentFact("formal_title", words.formalTitle),
          DocumentFact("summary", words.summary), DocumentFact("content", words.content),
          DocumentFact("html_content", words.htmlContent), DocumentFact("learn_more_title", words.learnMoreTitle),
          DocumentFact("image_alt", words.imageAlt), DocumentFact("animation_caption", words.animationCaption),
        ])
    }
  }

  var signatureItems: [DocumentItem] {
    signatures.map { words in
      DocumentItem(
        name: words.signatureID, summary: words.title,
        facts: [DocumentFact("title", words.title), DocumentFact("meaning", words.meaning)])
    }
  }

  var questionItems: [DocumentItem] {
    questions.map { words in
      let choices = words.choices.map { DocumentFact("choices[\($0.choiceID.shortened)]", $0.text) }
      return DocumentItem(
        name: words.questionID, summary: words.prompt,
        facts: [DocumentFact("prompt", words.prompt), DocumentFact("detail", words.detail)] + choices)
    }
  }

  var purposeItems: [DocumentItem] {
    purposes.map { words in
      DocumentItem(
        name: words.purposeCode, summary: words.title,
        facts: [
          DocumentFact("title", words.title), DocumentFact("description", words.description),
          DocumentFact("data_categories", words.dataCategories.joined(separator: "; ")),
          DocumentFact("recipients", words.recipients.joined(separator: "; ")),
          DocumentFact("retention", words.retention),
        ])
    }
  }

  /// All texts that are not in lists.
  var facts: [DocumentFact] {
    [
      DocumentFact("title", title), DocumentFact("html_review_content", htmlReviewContent),
      DocumentFact("review_text", reviewText), DocumentFact("reason_for_consent", reasonForConsent),
      DocumentFact("signature_page_title", signaturePageTitle),
      DocumentFact("signature_page_content", signaturePageContent),
      DocumentFact("sharing.investigator_short", sharing?.investigatorShort ?? ""),
      DocumentFact("sharing.investigator_long", sharing?.investigatorLong ?? ""),
      DocumentFact("sharing.learn_more_html", sharing?.learnMoreHTML ?? ""),
      DocumentFact("guardian_authority", guardianAuthority), DocumentFact("failed_text", failedText),
      DocumentFact("rights", rights.joined(separator: "; ")), DocumentFact("withdrawal", withdrawal),
      DocumentFact("file.asset", file?.asset ?? ""),
    ] + (file?.pages ?? []).enumerated().map { DocumentFact("file.pages[\($0)].text", $1.text) }
  }
}
