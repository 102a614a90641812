import AccountService
import Testing
import TextFolding

@Suite("Names of people") struct InitialsTests {
  @Test(
    "initials in any script",
    arguments: [
      ("Ada Lovelace", "AL"), ("ada lovelace", "AL"), ("Ada", "A"), ("María José de la Cruz", "MC"),
      ("Ngozi  Okafor ", "NO"),
      ("Élodie Ångström", "ÉÅ"), ("E\u{301}lodie", "E\u{301}"), ("Иван Петров", "ИП"), ("Αθηνά Παπά", "ΑΠ"),
      ("王小明", "王"), ("山田 太郎", "山"), ("김철수", "김"), ("さくら", "さ"), ("ნინო ბერიძე", "ნბ"), ("Džemal Ljubić", "DL"),
      ("ǆemal", "ǅ"), ("محمد علي", "م\u{200C}ع"), ("דוד כהן", "דכ"), ("เอก วงศ์", "อว"), ("कमल हासन", "कहा"),
      ("\"Jo\" (Smith)", "JS"), ("👩‍⚕️", "👩‍⚕️"), ("42", "4"), ("", "?"), ("  ", "?"), ("😀 Zoe", "Z"),
    ])
  func initials(name: String, expected: String) {
    #expect(Initials.of(name) == expected)
  }

  private func finds(_ query: String, _ text: String) -> Bool {
    SearchText.matches(SearchText.folded(query), in: SearchText.folded(text))
  }

  @Test(
    "search ignores case and accents in every script",
    arguments: [
      ("lovelace", "Ada Lovelace"), ("ADA", "Ada Lovelace"), ("love ad", "Ada Lovelace"),
      ("angstrom", "Élodie Ångström"),
      ("Ångstr", "elodie angstrom"), ("strasse", "Weiße Straße"), ("STRASSE", "straße"), ("soren", "Søren"),
      ("lodz", "Łódź"),
      ("иван", "ИВАН Петров"), ("еж", "Ёж"), ("παπα", "Παπά"), ("ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"), ("istanbul", "İstanbul"),
      ("ISIL", "ışıl"), ("محمد", "مُحَمَّد"), ("احمد", "أحمد"), ("محمد", "محـــمد"), ("שלום", "שָׁלוֹם"), ("さくら", "サクラ"),
      ("ada", "Ａｄａ"), ("小明", "王小明"), ("nguyen", "Nguyễn"), ("ฟ", "ฟ้า"), ("한", "한국"), ("", "anybody"), ("dj", "Đjoko"),
      ("aether", "Æther"),
    ])
  func found(query: String, text: String) {
    #expect(finds(query, text), "\(query) in \(text)")
  }

  @Test(
    "search tells apart what are different letters",
    arguments: [
      ("b", "Ada"), ("ace", "Lovelace"), ("か", "が"), ("कि", "कमल"), ("ada x", "Ada Lovelace"), ("li", "王小明"),
    ])
  func missed(query: String, text: String) {
    #expect(!finds(query, text), "\(query) in \(text)")
  }
}
