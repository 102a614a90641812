import Base
import Ink
import Testing
import Typesetting

@Suite struct LettersTests {
  private let typesetter = Typesetter()
  private let canvas = Canvas(width: 600, height: 200)

  private func letters(_ name: String, _ font: NameFont = .script, on canvas: Canvas? = nil) throws -> Letters {
    try typesetter.letters(try TypedText(validating: name), font: font, on: canvas ?? self.canvas)
  }

  private func picture(_ name: String, _ font: NameFont = .script, _ format: PictureFormat = .svg) throws -> [UInt8] {
    var options = RenderOptions()
    options.format = format
    return try Renderer().render(try letters(name, font), options).bytes
  }

  private func box(_ letters: Letters) -> (left: Float, top: Float, right: Float, bottom: Float) {
    let places = letters.contours.flatMap { [$0.start] + $0.edges.flatMap(\.places) }
    let (across, down) = (places.map(\.x), places.map(\.y))
    return (across.min() ?? 0, down.min() ?? 0, across.max() ?? 0, down.max() ?? 0)
  }

  @Test("names of many scripts are set in the middle of the canvas and within it")
  func scripts() throws {
    let names = [
      "Zoë Müller", "Łukasz Żółć", "Ελένη Παπαδοπούλου", "Александр Пушкин", "Անի", "ნინო", "דוד לוי", "محمد علي",
      "山田 太郎", "김하늘", "สมชาย ใจดี", "प्रिया शर्मा", "கவிதா ராமன்", "রহিমা খাতুন", "లక్ష్మీ దేవి",
      "હંસા પટેલ", "සුනිල් පෙරේරා", "አበበ ቢቂላ", "សុខា ចាន់", "အောင်ဆန်း", "བསྟན་འཛིན", "ສົມພອນ ວົງ", "ਗੁਰਪ੍ਰੀਤ", "ರಾಧಾ",
      "രാധ", "ସୁଭଦ୍ରା", "އަހުމަދު", "Nguyễn Thị Đặng", "O’Brien-Smith 3rd", "i",
    ]
    for name in names {
      for font in NameFont.allCases {
        for canvas in [canvas, Canvas(width: 120, height: 400), Canvas(width: 4096, height: 16)] {
          let box = box(try letters(name, font, on: canvas))
          #expect(box.left > 0 && box.right < Float(canvas.width), "\(name)")
          #expect(box.top > 0 && box.bottom < Float(canvas.height), "\(name)")
          #expect(abs(box.left + box.right - Float(canvas.width)) < 0.01, "\(name)")
        }
      }
    }
  }

  @Test("a letter with an accent is one letter, however it is encoded")
  func composition() throws {
    for font in NameFont.allCases {
      #expect(try picture("Zoë Müller", font) == picture("Zoe\u{308} Mu\u{308}ller", font))
    }
  }

  @Test("fonts differ, and letters that the script font lacks are set in the plain font")
  func fallback() throws {
    #expect(try picture("Ada") != picture("Ada", .plain))
    #expect(try picture("Ελένη") == picture("Ελένη", .plain))
    // A whole run of one script comes from one font, so that no plain letter stands among script letters.
    #expect(try picture("Łukasz") == picture("Łukasz", .plain))
    #expect(try picture("Ada 山") != picture("Ada 山", .plain))
  }

  @Test(
    "the answer names the fonts of the letters, and which of them are plain",
    arguments: [
      ("Ada", ["Dancing Script"], false), ("Łukasz", ["DejaVu Sans"], true), ("김하늘", ["Nanum Pen"], false),
      ("สมชาย", ["Purisa"], false), ("प्रिया", ["Annapurna SIL"], false), ("محمد", ["Amiri"], false),
      ("李明", ["AR PL UKai"], false), ("கவிதா", ["Noto Sans Tamil"], true), ("བསྟན", ["Noto Serif Tibetan"], true),
      ("ສົມພອນ", ["Noto Sans Lao"], true), ("Ada Ελένη", ["Dancing Script", "DejaVu Sans"], true),
    ])
  func faces(name: String, expected: [String], isPlain: Bool) throws {
    let set = try typesetter.set(try TypedText(validating: name), font: .script, on: canvas)
    #expect(set.faces.map(\.name) == expected)
    #expect(set.faces.contains(where: \.isPlain) == isPlain)
    let plain = try typesetter.set(try TypedText(validating: name), font: .plain, on: canvas)
    let isPlainOnly = plain.faces.allSatisfy { $0.isPlain }
    #expect(isPlainOnly)
  }

  @Test("Arabic letters are joined, and names are read from the right")
  func arabic() throws {
    // An invisible character keeps letters from joining.
    #expect(try picture("محمد") != picture("م\u{200C}ح\u{200C}م\u{200C}د"))
    // The last letter is the leftmost: alef is a bare stroke, and beh has a dot below it.
    let word = try letters("با", .plain)
    let leftmost = word.contours.min { ($0.start.x) < ($1.start.x) }
    let low = try #require(leftmost?.edges.flatMap(\.places).map(\.y).max())
    #expect(low < box(word).bottom)
  }

  @Test("the same name gives the same letters and hash, on every thread; other names give others")
  func hashes() async throws {
    let first = try letters("Ada Lovelace")
    let others = try await withThrowingTaskGroup(of: Letters.self) { group in
      for _ in 0..<16 { group.addTask { try letters("Ada Lovelace") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(others.allSatisfy { $0 == first })
    let hashes = [
      first.hash, try letters("Ada  Lovelacf").hash, try letters("Ada Lovelace", .plain).hash,
      try letters("Ada Lovelace", on: Canvas(width: 600, height: 201)).hash,
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test("a letter that no font has is named")
  func unknownLetter() throws {
    let error = #expect(throws: TypesettingError.self) { try letters("Ada ᏣᎳ") }
    #expect(error?.reason == .unknownLetter)
    #expect(error?.description.hasPrefix("text has 'Ꮳ' (U+13E3, CHEROKEE LETTER TSA), which none of") == true)
  }

  @Test("of several letters the one that no font has is named, not one that the last font lacks")
  func rightLetter() throws {
    let error = #expect(throws: TypesettingError.self) { try letters("Łukasz \u{1DF00}") }
    #expect(error?.description.contains("(U+1DF00") == true, "\(error?.description ?? "")")
  }

  @Test("a font that is missing or broken is named with its package, and is not replaced by another")
  func missingFont() throws {
    let folder = try TemporaryFolder()
    let bare = Typesetter(folder: folder.path)
    #expect(
      bare.missingPackages == [
        "fonts-dancingscript", "fonts-nanum-extra", "fonts-hosny-amiri", "fonts-tlwg-purisa-ttf", "fonts-sil-annapurna",
        "fonts-arphic-ukai", "fonts-noto-core", "fonts-dejavu-core", "fonts-nanum", "fonts-droid-fallback",
      ])
    let name = try TypedText(validating: "Ada")
    let error = #expect(throws: TypesettingError.self) { try bare.letters(name, font: .script, on: canvas) }
    #expect(error?.reason == .fontMissing)
    #expect(error?.description.contains("DancingScript-Regular.otf of Debian's package fonts-dancingscript") == true)
    try Files.makeFolder(folder.file("truetype/dejavu"))
    try Files.write(Array("no font".utf8), to: folder.file("truetype/dejavu/DejaVuSans.ttf"))
    let broken = #expect(throws: TypesettingError.self) { try bare.letters(name, font: .plain, on: canvas) }
    #expect(broken?.description.hasSuffix("it is not a font") == true)
  }

  @Test(
    "pictures of names are byte for byte the same with the fonts and the HarfBuzz of Debian 12",
    .enabled(if: isDebian12))
  func golden() throws {
    var builder = DigestBuilder()
    for name in ["Zoë Müller", "Łukasz Żółć", "Ελένη", "Александр", "محمد علي", "山田太郎", "Ali محمد علي 3"] {
      for font in NameFont.allCases { builder.update(try picture(name, font)) }
    }
    #expect(builder.finish().hex == "b0edbb0cc12a6900b3d3a510cd0b1ade75e79cd906d424fe77fcde1286546973")
  }

  /// Fonts and letters change with their packages; then this test cannot compare.
  private static let isDebian12: Bool = {
    let files = [
      "opentype/dancingscript/DancingScript-Regular.otf", "truetype/dejavu/DejaVuSans.ttf",
      "truetype/droid/DroidSansFallbackFull.ttf",
    ]
    var builder = DigestBuilder()
    for file in files { builder.update((try? Files.read("\(Typesetter.usualFolder)/\(file)")) ?? []) }
    return Typesetter.libraryVersion == "6.0.0"
      && builder.finish().hex == "cfb6f16a2f45529e747516850572d0ea947db94b41865a18b1f5f657a03974e1"
  }()
}
