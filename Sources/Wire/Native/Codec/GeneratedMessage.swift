/// A message that the generator has written.
///
/// The compiler would derive a comparison and a hash of all fields for each of hundreds of messages, which took a third
/// of the time to compile a contract. So there is one comparison for all of them, of their bytes, and no hash.
public protocol GeneratedMessage: NativeMessage {}

extension GeneratedMessage {
  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public static func == (one: Self, other: Self) -> Bool {
    do throws(CodecError) {
      return try one.encoded() == other.encoded()
    } catch {
      // Only what cannot be sent, such as a text with NUL, has no bytes. Its maps may be listed in different orders,
      // and so count as different although they are equal.
      return String(reflecting: one) == String(reflecting: other)
    }
  }
}
