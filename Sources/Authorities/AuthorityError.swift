/// Why an authority gave no answer that could be used.
struct AuthorityError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
