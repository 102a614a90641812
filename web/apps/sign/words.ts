/** What a phone says on which somebody signs for a computer; the cell's own words are the kit's. */
export interface PhoneWords {
  title: string
  heading: string
  opening: string
  done: string
  sending: string
  sent: string
  kept: string
  away: string
  again: string
  elsewhere: string
  goOnHere: string
  ended: string
  expired: string
  unknown: string
  failed: string
}

export const words: Record<string, PhoneWords> = {
  en: {
    title: "Sign",
    heading: "Sign here",
    opening: "Opening",
    done: "Done",
    sending: "Sending",
    sent: "Done. Go on at the computer: your signature is there, and you save it there.",
    kept: "No connection for now. Go on: what you draw is kept and sent later.",
    away: "The server cannot be reached. What was sent is at the computer.",
    again: "Try again",
    elsewhere: "You went on with another phone.",
    goOnHere: "Go on here",
    ended: "This has ended at the computer. To sign on this phone, scan a new code there.",
    expired: "The code was good for ten minutes. Scan a new one at the computer.",
    unknown: "There is nothing behind this code. Scan the one that the computer shows.",
    failed: "This cannot be shown now. Sign at the computer.",
  },
  de: {
    title: "Unterschreiben",
    heading: "Hier unterschreiben",
    opening: "Wird geöffnet",
    done: "Fertig",
    sending: "Sendet",
    sent: "Fertig. Weiter geht es am Computer: Dort ist Ihre Unterschrift, und dort speichern Sie sie.",
    kept: "Gerade keine Verbindung. Machen Sie weiter: Was Sie zeichnen, bleibt und wird später gesendet.",
    away: "Der Server ist nicht zu erreichen. Was gesendet wurde, ist am Computer.",
    again: "Noch einmal versuchen",
    elsewhere: "Sie haben mit einem anderen Telefon weitergemacht.",
    goOnHere: "Hier weitermachen",
    ended: "Am Computer ist es beendet. Um mit diesem Telefon zu unterschreiben, scannen Sie dort einen neuen Code.",
    expired: "Der Code galt zehn Minuten. Scannen Sie am Computer einen neuen.",
    unknown: "Hinter diesem Code ist nichts. Scannen Sie den, den der Computer zeigt.",
    failed: "Das lässt sich jetzt nicht zeigen. Unterschreiben Sie am Computer.",
  },
  fr: {
    title: "Signer",
    heading: "Signez ici",
    opening: "Ouverture",
    done: "Terminé",
    sending: "Envoi",
    sent: "Terminé. Continuez sur l’ordinateur : votre signature y est, et c’est là que vous l’enregistrez.",
    kept: "Pas de connexion pour le moment. Continuez : ce que vous tracez est gardé et envoyé plus tard.",
    away: "Le serveur est injoignable. Ce qui a été envoyé est sur l’ordinateur.",
    again: "Réessayer",
    elsewhere: "Vous avez continué sur un autre téléphone.",
    goOnHere: "Continuer ici",
    ended: "C’est terminé sur l’ordinateur. Pour signer sur ce téléphone, scannez-y un nouveau code.",
    expired: "Le code était valable dix minutes. Scannez-en un nouveau sur l’ordinateur.",
    unknown: "Ce code ne mène à rien. Scannez celui qu’affiche l’ordinateur.",
    failed: "Impossible de l’afficher pour le moment. Signez sur l’ordinateur.",
  },
  es: {
    title: "Firmar",
    heading: "Firme aquí",
    opening: "Abriendo",
    done: "Listo",
    sending: "Enviando",
    sent: "Listo. Siga en el ordenador: su firma está allí, y allí la guarda.",
    kept: "Ahora no hay conexión. Siga: lo que dibuje se conserva y se envía después.",
    away: "No se puede contactar con el servidor. Lo enviado está en el ordenador.",
    again: "Intentar de nuevo",
    elsewhere: "Ha seguido con otro teléfono.",
    goOnHere: "Seguir aquí",
    ended: "Ha terminado en el ordenador. Para firmar en este teléfono, escanee allí un código nuevo.",
    expired: "El código valía diez minutos. Escanee uno nuevo en el ordenador.",
    unknown: "No hay nada detrás de este código. Escanee el que muestra el ordenador.",
    failed: "Ahora no se puede mostrar. Firme en el ordenador.",
  },
  ar: {
    title: "التوقيع",
    heading: "وقّع هنا",
    opening: "جارٍ الفتح",
    done: "تم",
    sending: "جارٍ الإرسال",
    sent: "تم. تابع على الحاسوب: توقيعك هناك، وهناك تحفظه.",
    kept: "لا يوجد اتصال الآن. تابع: ما ترسمه محفوظ وسيُرسل لاحقًا.",
    away: "لا يمكن الوصول إلى الخادم. ما أُرسل موجود على الحاسوب.",
    again: "إعادة المحاولة",
    elsewhere: "تابعت على هاتف آخر.",
    goOnHere: "المتابعة هنا",
    ended: "انتهى هذا على الحاسوب. للتوقيع بهذا الهاتف امسح رمزًا جديدًا هناك.",
    expired: "كان الرمز صالحًا لعشر دقائق. امسح رمزًا جديدًا على الحاسوب.",
    unknown: "لا شيء خلف هذا الرمز. امسح الرمز الذي يعرضه الحاسوب.",
    failed: "لا يمكن عرض هذا الآن. وقّع على الحاسوب.",
  },
  zh: {
    title: "签名",
    heading: "在此签名",
    opening: "正在打开",
    done: "完成",
    sending: "正在发送",
    sent: "完成。请回到电脑继续：您的签名已在那里，请在那里保存。",
    kept: "暂时没有连接。请继续：您所写的会保留并稍后发送。",
    away: "无法连接服务器。已发送的内容在电脑上。",
    again: "再试一次",
    elsewhere: "您已在另一部手机上继续。",
    goOnHere: "在这里继续",
    ended: "电脑上已结束。要用这部手机签名，请在电脑上扫描新的二维码。",
    expired: "二维码十分钟内有效。请在电脑上扫描新的二维码。",
    unknown: "此二维码没有对应内容。请扫描电脑上显示的二维码。",
    failed: "现在无法显示。请在电脑上签名。",
  },
  ja: {
    title: "署名",
    heading: "ここに署名してください",
    opening: "開いています",
    done: "完了",
    sending: "送信中",
    sent: "完了しました。パソコンで続けてください。署名はそちらに表示され、そちらで保存します。",
    kept: "今は接続がありません。そのまま続けてください。書いたものは保存され、後で送信されます。",
    away: "サーバーに接続できません。送信されたものはパソコンにあります。",
    again: "もう一度試す",
    elsewhere: "別のスマートフォンで続けています。",
    goOnHere: "ここで続ける",
    ended: "パソコン側で終了しました。このスマートフォンで署名するには、新しいコードを読み取ってください。",
    expired: "コードの有効期間は10分でした。パソコンで新しいコードを読み取ってください。",
    unknown: "このコードの先には何もありません。パソコンに表示されているコードを読み取ってください。",
    failed: "今は表示できません。パソコンで署名してください。",
  },
}

/** The language that the browser prefers among those that there are, or English. */
export function preferred(): { tag: string, words: PhoneWords } {
  for (const wish of navigator.languages) {
    const tag = wish.toLowerCase().split("-")[0]!
    const found = words[tag]
    if (found) return { tag, words: found }
  }
  return { tag: "en", words: words["en"]! }
}
