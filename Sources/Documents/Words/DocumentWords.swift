/// The few words that a document adds to its content.
struct DocumentWords {
  let footer: String
  let signature: String
  let name: String
  let role: String
  let meaning: String
  let time: String
  /// The description of a drawn signature, for those who cannot see it.
  let signatureOf: String
  let notSigned: String
  let seal: String
  let sealExplained: String
  /// The description of an invisible field that is kept for later.
  let further: String
  let verify: String
  /// The description of the QR code, for those who cannot see it.
  let code: String
  /// The words' language, if it differs from the document's: screen readers change their voice for it.
  var language: String?

  /// The words in a language, by the first part of its tag; in English if there are none.
  static func of(_ language: String) -> DocumentWords {
    let parts = language.split(separator: "-").map { $0.lowercased() }
    guard var words = all[parts.first ?? "en"] else {
      var words = english
      words.language = "en"
      return words
    }
    // The Chinese words are in simplified characters.
    let isTraditional = parts.contains("hant") || !parts.contains("hans") && parts.contains { traditional.contains($0) }
    if parts.first == "zh", isTraditional { words.language = "zh-Hans" }
    return words
  }

  /// Regions in which Chinese is written in traditional characters.
  private static let traditional: Set = ["tw", "hk", "mo"]

  private static let english = DocumentWords(
    footer: "Page {page} of {pages}", signature: "Signature", name: "Printed name", role: "Role",
    meaning: "Meaning of the signature", time: "Date and time", signatureOf: "Signature of {name}",
    notSigned: "not signed", seal: "Electronic seal",
    sealExplained: "The seal shows any change that is made after this document was completed.",
    further: "Further signature or time stamp", verify: "Verify this document at",
    code: "QR code with the address {name}")

  private static let all: [String: DocumentWords] = [
    "en": english,
    "de": DocumentWords(
      footer: "Seite {page} von {pages}", signature: "Unterschrift", name: "Name in Druckschrift", role: "Rolle",
      meaning: "Bedeutung der Unterschrift", time: "Datum und Uhrzeit", signatureOf: "Unterschrift von {name}",
      notSigned: "nicht unterschrieben", seal: "Elektronisches Siegel",
      sealExplained: "Das Siegel zeigt jede Änderung nach der Fertigstellung dieses Dokuments.",
      further: "Weitere Unterschrift oder Zeitstempel", verify: "Dieses Dokument prüfen unter",
      code: "QR-Code mit der Adresse {name}"),
    "fr": DocumentWords(
      footer: "Page {page} sur {pages}", signature: "Signature", name: "Nom en caractères d’imprimerie", role: "Rôle",
      meaning: "Signification de la signature", time: "Date et heure", signatureOf: "Signature de {name}",
      notSigned: "non signé", seal: "Cachet électronique",
      sealExplained: "Le cachet révèle toute modification apportée après l’achèvement de ce document.",
      further: "Autre signature ou horodatage", verify: "Vérifier ce document à l’adresse",
      code: "Code QR avec l’adresse {name}"),
    "es": DocumentWords(
      footer: "Página {page} de {pages}", signature: "Firma", name: "Nombre en letra de imprenta", role: "Función",
      meaning: "Significado de la firma", time: "Fecha y hora", signatureOf: "Firma de {name}",
      notSigned: "sin firmar", seal: "Sello electrónico",
      sealExplained: "El sello muestra cualquier cambio posterior a la finalización de este documento.",
      further: "Otra firma o sello de tiempo", verify: "Verifique este documento en",
      code: "Código QR con la dirección {name}"),
    "zh": DocumentWords(
      footer: "第 {page} 页，共 {pages} 页", signature: "签名", name: "正楷姓名", role: "角色", meaning: "签名含义",
      time: "日期和时间", signatureOf: "{name}的签名", notSigned: "未签名", seal: "电子印章",
      sealExplained: "本文件完成后的任何更改都会由该印章显示出来。", further: "其他签名或时间戳",
      verify: "在此验证本文件：", code: "包含网址 {name} 的二维码"),
    "ja": DocumentWords(
      footer: "{page} / {pages} ページ", signature: "署名", name: "氏名（活字体）", role: "役割", meaning: "署名の意味",
      time: "日時", signatureOf: "{name}の署名", notSigned: "未署名", seal: "電子シール",
      sealExplained: "この文書の完成後に加えられた変更は、シールの検証によって示されます。", further: "追加の署名またはタイムスタンプ",
      verify: "この文書の検証：", code: "アドレス {name} の二次元コード"),
    "ar": DocumentWords(
      footer: "الصفحة {page} من {pages}", signature: "التوقيع", name: "الاسم بأحرف واضحة", role: "الصفة",
      meaning: "معنى التوقيع", time: "التاريخ والوقت", signatureOf: "توقيع {name}", notSigned: "غير موقّع",
      seal: "الختم الإلكتروني", sealExplained: "يُظهر الختم أي تغيير يُجرى بعد اكتمال هذا المستند.",
      further: "توقيع آخر أو ختم زمني", verify: "تحقّق من هذا المستند على",
      code: "رمز QR بالعنوان {name}"),
  ]
}

/// Writes numbers in a language's digits.
enum LocalDigits {
  static func text(_ number: Int, _ language: String) -> String {
    guard let zero = zero(language) else { return String(number) }
    return String(
      String.UnicodeScalarView(
        String(number).unicodeScalars.compactMap { Unicode.Scalar(zero + $0.value - 48) }))
  }

  private static func zero(_ language: String) -> UInt32? {
    let parts = language.split(separator: "-").map { $0.uppercased() }
    switch parts.first {
    // In the west of the Arab world, European digits are used.
    case "AR": return parts.contains { ["AE", "DZ", "EH", "LY", "MA", "TN"].contains($0) } ? nil : 0x660
    case "FA", "PS", "UR": return 0x6F0
    case "BN", "AS": return 0x9E6
    case "MR", "NE": return 0x966
    case "MY": return 0x1040
    default: return nil
    }
  }
}
