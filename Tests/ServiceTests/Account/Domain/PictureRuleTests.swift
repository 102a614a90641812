import AccountContract
import AccountService
import ServicePolicy
import Testing

@Suite("Pictures of people") struct PictureRuleTests {
  /// The smallest bytes that name a size, as a bomb's do.
  static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + number(13) + Array("IHDR".utf8) + number(width)
      + number(height) + [8, 2, 0, 0, 0] + number(0) + number(0) + Array("IEND".utf8) + number(0xAE42_6082)
  }

  static func jpeg(_ width: UInt16, _ height: UInt16) -> [UInt8] {
    [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255),
      UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0, 0xFF, 0xD9,
    ]
  }

  @Test(
    "bombs and what is no picture are refused",
    arguments: [
      (png(64, 64), nil), (jpeg(64, 64), nil), (png(2048, 2048), nil), (png(60_000, 60_000), "picture_too_large"),
      (png(0, 64), "picture_too_large"), (jpeg(65_535, 1), "picture_too_large"), (Array("<svg/>".utf8), "bad_picture"),
      (Array(png(64, 64).dropLast(4)), "bad_picture"), ([0xFF, 0xD8, 0xFF, 0xD9], "bad_picture"),
      ([0x89], "bad_picture"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xD9], "bad_picture"),
      ([UInt8](repeating: 0, count: 300 << 10), "too_long"),
    ] as [([UInt8], String?)])
  func pictures(bytes: [UInt8], rule: String?) {
    var refused: String?
    do throws(Refusal) {
      _ = try ProfileRules.checked(PersonProfile(title: "Anna", picture: bytes))
    } catch {
      refused = error.rule
      #expect(error.field == "profile.picture")
    }
    #expect(refused == rule)
  }

  @Test(
    "texts of a profile are bounded and plain",
    arguments: [
      (PersonProfile(title: " "), "missing", "profile.title"),
      (PersonProfile(title: String(repeating: "a", count: 201)), "too_long", "profile.title"),
      (PersonProfile(title: "a\u{202E}b"), "bad_text", "profile.title"),
      (PersonProfile(title: "Anna", subtitle: "a\nb"), "bad_text", "profile.subtitle"),
      (PersonProfile(title: "Anna", items: [ProfileItem(value: "x")]), "missing", "profile.items[0].label"),
      (
        PersonProfile(title: "Anna", items: Array(repeating: ProfileItem(label: "a"), count: 21)), "too_many",
        "profile.items"
      ),
    ])
  func texts(profile: PersonProfile, rule: String, field: String) {
    do throws(Refusal) {
      _ = try ProfileRules.checked(profile)
      Issue.record("not refused")
    } catch {
      #expect(error.rule == rule && error.field == field)
    }
  }

  @Test("before sign-in only what the tenant chose is visible")
  func visible() {
    let profile = PersonProfile(
      title: "Anna", subtitle: "Nurse", items: [ProfileItem(label: "Ward", value: "3")], initials: "A", revision: 4)
    #expect(ProfileRules.visible(profile, []) == PersonProfile(title: "Anna"))
    #expect(ProfileRules.visible(profile, [.picture]) == PersonProfile(initials: "A"))
    #expect(
      ProfileRules.visible(profile, [.subtitle, .items]) == PersonProfile(subtitle: "Nurse", items: profile.items))
  }
}
