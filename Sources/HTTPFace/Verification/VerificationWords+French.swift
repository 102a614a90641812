extension VerificationWords {
  /// French.
  static let french = VerificationWords(
    language: "fr",
    title: "Un document signé",
    sealed: "Un document portant cet identifiant a été signé et scellé ici.",
    participants:
      "C’est l’exemplaire scellé après la signature du participant. D’autres devaient encore signer et l’ont "
      + "peut-être fait depuis.",
    unsealed: "Un document porte cet identifiant, mais il n’est pas encore scellé. Revenez plus tard.",
    erased:
      "Les données personnelles de ce document et le fichier lui-même ont été effacés depuis. La trace de son "
      + "existence demeure.",
    unknown: "Aucun document ne porte cet identifiant. Vérifiez que l’adresse est complète.",
    unavailable: "Impossible de le dire pour le moment. Veuillez réessayer dans une minute.",
    sealedAt: "Scellé le",
    sealedBy: "Cachet de",
    level: "Niveau du cachet",
    identifier: "Identifiant",
    basic: "le cachet révèle toute modification ultérieure ; l’heure est celle du cachet lui-même",
    timed: "le cachet révèle toute modification ultérieure, et une autorité d’horodatage atteste quand il existait",
    longTerm:
      "comme avec une heure attestée ; le fichier contient lui-même ce qui prouvera le cachet dans les années à "
      + "venir",
    compareTitle: "Votre fichier est-il celui qui est enregistré ?",
    compareText:
      "Votre fichier reste chez vous. Faites calculer par votre ordinateur son SHA-256, un nombre que toute "
      + "modification du fichier change, et saisissez-le :",
    sumLabel: "SHA-256 de votre fichier : 64 chiffres et lettres",
    sumButton: "Comparer",
    same: "C’est le fichier enregistré, inchangé.",
    earlier:
      "C’est le fichier enregistré tel qu’il était avant l’ajout d’autres preuves de son cachet. Son contenu est "
      + "le même.",
    different: "Ce n’est pas le fichier enregistré : c’en est un autre, ou il a été modifié.",
    incomparable: "Ce à quoi il pourrait être comparé a été effacé.",
    noSum: "Ce n’est pas un SHA-256 : il compte 64 chiffres et lettres de a à f.",
    ownTitle: "Sans demander à personne",
    ownText:
      "Le cachet est dans le fichier. Tout programme qui vérifie les signatures des fichiers PDF dit s’il est "
      + "intact, de même que :",
    silence:
      "Cette page ne dit rien d’aucune personne, ni si le consentement est toujours valable : il a pu être "
      + "retiré. Ceux qui ont le droit de le savoir s’adressent à l’étude.")
}
