internal import Base
package import Refusals

/// To which other device a field is lent: nobody, whoever comes by a link, or a device that has come by it.
///
/// A device that has come by a link is named after it, so that one that comes later takes over, and the one before can
/// be told so.
package struct FieldLoan: Hashable, Sendable {
  /// `link:` and a number; behind a slash the number of the device that has come. Empty: lent to nobody.
  package let device: String

  package static let none = FieldLoan(device: "")

  /// As it was stored.
  package init(device: String) {
    self.device = device
  }

  /// As a caller states it.
  package init(validating device: String) throws(Refusal) {
    let parts = device.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = [parts[0].dropFirst(Self.prefix.count)] + parts.dropFirst()
    let isName =
      device.hasPrefix(Self.prefix) && parts.count <= 2
      && numbers.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy { "0123456789abcdef".contains($0) } }
    guard device.isEmpty || isName else {
      throw FieldChecks.refusal(
        "device", "is '\(device.shortened)'", "a field is lent to link:0123456789abcdef, or one that has come by it",
        rule: "bad_device")
    }
    self.device = device
  }

  private static let prefix = "link:"

  /// Whether it is lent to this device, or to one that has come by this link.
  package func includes(_ name: String) -> Bool {
    !device.isEmpty && (device == name || device.hasPrefix("\(name)/"))
  }

  /// Why a device to which it was lent may use it no more; nil when it may.
  package func refusal(of name: String) -> Refusal? {
    guard !includes(name) else { return nil }
    guard !device.isEmpty, device.prefix(while: { $0 != "/" }) == name.prefix(while: { $0 != "/" }) else {
      return Refusal(
        .precondition, "loan_ended", field: "field_id", "the field is lent by this link no more; ask for another one")
    }
    return Refusal(
      .precondition, "other_device", field: "field_id", "another device has come by the field's link and goes on")
  }
}
