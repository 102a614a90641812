package import ConsentContract
internal import Wire

/// The properties of the ten section types.
extension SectionType {
  /// The types in ResearchKit's order.
  package static let inOrder: [SectionType] = [
    .overview, .dataGathering, .privacy, .dataUse, .timeCommitment, .studySurvey, .studyTasks, .withdrawing, .custom,
    .onlyInDocument,
  ]

  /// The key of the default title; nil for the last two, which have none.
  package var defaultTitle: TextKey? {
    switch self {
    case .overview: .overview
    case .dataGathering: .dataGathering
    case .privacy: .privacy
    case .dataUse: .dataUse
    case .timeCommitment: .timeCommitment
    case .studySurvey: .studySurvey
    case .studyTasks: .studyTasks
    case .withdrawing: .withdrawing
    default: nil
    }
  }

  /// The key of the text that describes the predefined image.
  package var imageAlt: TextKey? {
    switch self {
    case .overview: .overviewAlt
    case .dataGathering: .dataGatheringAlt
    case .privacy: .privacyAlt
    case .dataUse: .dataUseAlt
    case .timeCommitment: .timeCommitmentAlt
    case .studySurvey: .studySurveyAlt
    case .studyTasks: .studyTasksAlt
    case .withdrawing: .withdrawingAlt
    default: nil
    }
  }

  /// The name of the predefined image; nil when there is none.
  package var imageName: String? {
    isPredefined ? PredefinedImages.names[Int(number) - 1] : nil
  }

  /// True for the eight types with a default title and image.
  package var isPredefined: Bool { (1...8).contains(number) }

  /// Whether visual steps show the type: all do except `onlyInDocument`.
  package var isVisual: Bool { (1...9).contains(number) }

  /// True if the animation between two predefined sections applies: the later one follows the earlier in the types'
  /// order.
  package func leadsInto(_ next: SectionType) -> Bool {
    isPredefined && next.isPredefined && next.number == number + 1
  }
}

extension SectionText {
  /// The title: the author's own, else the type's default, else none.
  package func shownTitle(_ type: SectionType, _ texts: ScreenTexts) -> String {
    if !title.isEmpty { return title }
    return type.defaultTitle.map { texts[$0] } ?? ""
  }

  /// The language of that title: the document's, unless the type's default exists only in another one.
  func titleLanguage(_ type: SectionType, _ texts: ScreenTexts, of document: String) -> String {
    guard title.isEmpty, let key = type.defaultTitle else { return document }
    return texts.found(key).locale
  }
}
