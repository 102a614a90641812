/// How long a document may take, asked while it is laid out.
struct Patience {
  let isOver: @Sendable () -> Bool

  func check() throws(DocumentError) {
    if isOver() { throw .stopped }
  }
}
