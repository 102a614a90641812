import ConsentContract
import ConsentDomain
import Testing

/// What an author is told of that keeps nobody from publishing.
@Suite("Warnings about documents") struct DocumentWarningTests {
  private func warnings(_ change: (inout DocumentContent) -> Void) -> [String] {
    var content = Example.content()
    content.settings?.controller = ConsentParty(name: "Example University")
    for index in content.texts.indices {
      (content.texts[index].withdrawal, content.texts[index].rights) = ("Write to us.", ["You may leave."])
    }
    change(&content)
    let problems = DocumentValidation.problems(in: content, version: 1, assets: [])
    #expect(problems.allSatisfy { $0.severity == .warning })
    return problems.map { "\($0.rule) \($0.field)" }
  }

  @Test("a language for which there are no buttons, unsaid rights, and a signature for which one has to draw")
  func warned() {
    #expect(warnings { _ in }.isEmpty)
    let hebrew = warnings { content in
      var text = content.texts[0]
      text.locale = "he"
      content.texts.append(text)
    }
    #expect(hebrew == ["untranslated_buttons texts[he].locale"])
    #expect(warnings { $0.settings?.controller = nil } == ["missing_controller settings.controller.name"])
    #expect(warnings { $0.texts[1].withdrawal = " " } == ["missing_withdrawal texts[de].withdrawal"])
    #expect(warnings { $0.texts[0].rights = [] } == ["missing_rights texts[en].rights"])
    let drawn = warnings { $0.settings?.signatures[0].refusesTyped = true }
    #expect(drawn == ["typing_refused settings.signatures[participant].refuses_typed"])
    // A language of which the fallback is there has its buttons.
    #expect(warnings { $0.texts[1].locale = "de-AT" }.isEmpty)
  }
}
