/// The fonts that a typed name may be written in, the default first.
package enum TypedFonts {
  package static let names = ["script", "plain"]
}
