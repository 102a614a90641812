import Base
import ConsentContract
import ConsentService
import Wire

/// Walks through one document.
enum DocumentWalks {
  static func walker(
    settings: DocumentSettings = Example.settings(), locale: String = "en", birthDate: CalendarDate? = nil,
    steps: [String] = []
  ) throws -> Walker {
    var flow = Example.flow()
    if !steps.isEmpty { flow.steps.removeAll { !steps.contains($0.id) && $0.id != "end" } }
    return Walker(
      try Example.engine(flow, settings: settings, locale: locale, birthDate: birthDate), birthDate: birthDate)
  }

  static func reviewing(_ change: (inout DocumentSettings) -> Void = { _ in }) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    change(&settings)
    return try walker(settings: settings, steps: ["review"])
  }
}
