/// A message that the generator has written.
///
/// If the compiler derived a comparison and a hash of all fields for each of hundreds of messages, that would be a
/// third of the time to compile a contract. So all messages share one comparison, that of their bytes, and have no
/// hash.
public protocol GeneratedMessage: NativeMessage {}

extension GeneratedMessage {
  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public static func == (one: Self, other: Self) -> Bool {
    do throws(CodecError) {
      return try one.encoded() == other.encoded()
    } catch {
      // Only a message that cannot be encoded gets here, such as one whose text has a NUL. Its maps may be listed in
      // different orders, and then count as different although they are equal.
      return String(reflecting: one) == String(reflecting: other)
    }
  }
}
