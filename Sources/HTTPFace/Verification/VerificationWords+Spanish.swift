extension VerificationWords {
  /// Spanish.
  static let spanish = VerificationWords(
    language: "es",
    title: "Un documento firmado",
    sealed: "Un documento con este identificador se firmó y selló aquí.",
    participants:
      "Es la copia que se selló cuando el participante había firmado. Otros aún tenían que firmar, y puede que "
      + "ya lo hayan hecho.",
    unsealed: "Hay un documento con este identificador, pero todavía no está sellado. Vuelva más tarde.",
    erased:
      "Los datos personales de este documento y el propio archivo se borraron después. Queda constancia de que "
      + "existió.",
    unknown: "No hay ningún documento con este identificador. Compruebe que la dirección esté completa.",
    unavailable: "Ahora no se puede decir. Inténtelo de nuevo dentro de un minuto.",
    sealedAt: "Sellado",
    sealedBy: "Sello de",
    level: "Nivel del sello",
    identifier: "Identificador",
    basic: "el sello muestra cualquier cambio posterior; la hora es la del propio sello",
    timed: "el sello muestra cualquier cambio posterior, y una autoridad de sellado de tiempo atestigua cuándo existía",
    longTerm: "como con una hora atestiguada; el propio archivo contiene lo que probará el sello en los próximos años",
    compareTitle: "¿Es su archivo el que consta?",
    compareText:
      "Su archivo se queda con usted. Haga que su ordenador calcule su SHA-256, un número que cambia con "
      + "cualquier cambio del archivo, e introdúzcalo:",
    sumLabel: "SHA-256 de su archivo: 64 cifras y letras",
    sumButton: "Comparar",
    same: "Este es el archivo que consta, sin cambios.",
    earlier:
      "Este es el archivo que consta tal como era antes de que se añadieran más pruebas de su sello. Lo que dice "
      + "es lo mismo.",
    different: "Este no es el archivo que consta: es otro, o se cambió.",
    incomparable: "Aquello con lo que podría compararse se borró.",
    noSum: "Eso no es un SHA-256: tiene 64 cifras y letras de la a a la f.",
    ownTitle: "Sin preguntar a nadie",
    ownText:
      "El sello está en el archivo. Cualquier programa que compruebe firmas en archivos PDF dice si está "
      + "intacto, y también:",
    silence:
      "Esta página no dice nada de ninguna persona, ni si el consentimiento sigue vigente: puede haberse "
      + "retirado. Quienes pueden saberlo preguntan al estudio.")
}
