package import Base

/// A program that a supervisor keeps running.
package struct SupervisedProgram: Sendable {
  /// Its name, unique among programs of its kind: `signature-2`.
  package let name: String
  package let command: ChildCommand
  /// Programs of a later wave are stopped before those of an earlier one.
  package let wave: Int

  package init(name: String, command: ChildCommand, wave: Int) {
    self.name = name
    self.command = command
    self.wave = wave
  }
}

/// A program that could not be started.
package struct SupervisionError: Error, CustomStringConvertible {
  package let description: String
}
