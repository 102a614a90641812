internal import Base
package import ConsentContract

// Which assets authors name: in fields of their own, and as images in HTML.

extension DocumentContent {
  /// The assets that sections name, the files, and the images in HTML.
  package var assetNames: Set<String> {
    var names: Set<String> = []
    for section in settings?.sections ?? [] {
      names.formUnion([section.imageAsset, section.animationAsset, section.stillAsset])
    }
    names.formUnion(texts.compactMap { $0.file?.asset })
    names.remove("")
    return names.union(images)
  }

  /// The images in the HTML of all languages.
  var images: Set<String> {
    texts.flatMap(\.htmlFields).reduce(into: []) { $0.formUnion(Reference.assets(in: $1.html)) }
  }
}

extension DocumentText {
  /// All HTML of the text, each piece with the name of its field.
  var htmlFields: [(field: String, html: String)] {
    let ofSections = sections.map { section in
      (field: "sections[\(section.sectionID.shortened)].html_content", html: section.htmlContent)
    }
    return ofSections + [
      (field: "html_review_content", html: htmlReviewContent),
      (field: "sharing.learn_more_html", html: sharing?.learnMoreHTML ?? ""),
    ]
  }
}

extension FlowDefinition {
  /// The images in the flow's HTML.
  package var assetNames: Set<String> {
    var names: Set<String> = []
    for step in steps {
      let texts: [LocalizedText?] =
        switch step.step {
        case .form(let form): form.pages.map(\.learnMoreHTML)
        case .instruction(let instruction): [instruction.learnMoreHTML]
        default: []
        }
      for translation in texts.compactMap(\.self).flatMap(\.translations) {
        names.formUnion(Reference.assets(in: translation.text))
      }
    }
    return names
  }
}
