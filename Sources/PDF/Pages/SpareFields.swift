/// Fields for unforeseen signatures: those of further signers, and of authorities that attest the time years later.
///
/// They are in the structure from the beginning, since a field that is added to a sealed file could not be added to the
/// structure: that is part of what was sealed, and validators take any change of it for a forgery.
public enum SpareFields {
  public static let names = (1...3).map { "further\($0)" }
}
