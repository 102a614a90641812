@testable package import Face

extension RevocationNews {
  /// Stands for AccountService's stream and its follower: begins, asks what is to be asked, and has it answered.
  package func answerAll() {
    _ = open()
    guard case .ask(let number) = step() else { return }
    noteMessage()
    noteLearned(answering: number)
  }
}
