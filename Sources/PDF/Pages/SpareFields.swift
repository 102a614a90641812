/// Fields for signatures that nobody foresees: of further signers, and of authorities that attest the time years later.
///
/// They stand in the structure from the beginning. A field that is added to a sealed file could not be given a place in
/// it: the structure is a part of what was sealed, and validators take each change of it for a forgery.
public enum SpareFields {
  public static let names = (1...3).map { "further\($0)" }
}
