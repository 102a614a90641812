internal import Wire

extension MessageEnum {
  /// The one spelling of a choice in messages, events and exports: `inForce` is `in_force`.
  package var word: String {
    "\(self)".reduce(into: "") { word, letter in
      if letter.isUppercase { word += "_" }
      word += letter.lowercased()
    }
  }
}
