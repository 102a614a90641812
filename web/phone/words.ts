/** What is said at the computer while somebody signs on a phone. */
export interface AskingWords {
  making: string
  scan: string
  code: string
  copy: string
  copied: string
  there: string
  taken: string
  drawn: string
  away: string
  expired: string
  failed: string
  again: string
}

export const words: Record<string, AskingWords> = {
  en: {
    making: "Making a code for your phone.",
    scan: "Scan this code with your phone. Sign there: what you draw appears here. The code is good for ten minutes.",
    code: "Code for your phone",
    copy: "Copy the link instead",
    copied: "The link was copied",
    there: "Your phone is connected. Sign there, and press Done.",
    taken: "Another phone has taken over.",
    drawn: "What is drawn on the phone",
    away: "The server cannot be reached for now. What was drawn is safe.",
    expired: "The code has ended. What was drawn is kept.",
    failed: "A phone cannot be asked now. Check your connection, or sign here.",
    again: "Show a new code",
  },
  de: {
    making: "Ein Code für Ihr Telefon wird erstellt.",
    scan: "Scannen Sie diesen Code mit dem Telefon. Unterschreiben Sie dort: Was Sie zeichnen, erscheint hier. Der Code "
      + "gilt zehn Minuten.",
    code: "Code für Ihr Telefon",
    copy: "Stattdessen den Link kopieren",
    copied: "Der Link ist kopiert",
    there: "Ihr Telefon ist verbunden. Unterschreiben Sie dort, und drücken Sie Fertig.",
    taken: "Ein anderes Telefon hat übernommen.",
    drawn: "Was auf dem Telefon gezeichnet wird",
    away: "Der Server ist gerade nicht zu erreichen. Was gezeichnet wurde, ist sicher.",
    expired: "Der Code ist abgelaufen. Was gezeichnet wurde, bleibt.",
    failed: "Ein Telefon kann jetzt nicht helfen. Prüfen Sie die Verbindung, oder unterschreiben Sie hier.",
    again: "Neuen Code zeigen",
  },
  fr: {
    making: "Création d’un code pour votre téléphone.",
    scan: "Scannez ce code avec votre téléphone. Signez-y : ce que vous tracez apparaît ici. Le code est valable dix "
      + "minutes.",
    code: "Code pour votre téléphone",
    copy: "Copier plutôt le lien",
    copied: "Le lien est copié",
    there: "Votre téléphone est connecté. Signez-y, puis touchez Terminé.",
    taken: "Un autre téléphone a pris le relais.",
    drawn: "Ce qui est tracé sur le téléphone",
    away: "Le serveur est injoignable pour le moment. Ce qui a été tracé est en sécurité.",
    expired: "Le code a expiré. Ce qui a été tracé est conservé.",
    failed: "Impossible d’utiliser un téléphone pour le moment. Vérifiez la connexion, ou signez ici.",
    again: "Afficher un nouveau code",
  },
  es: {
    making: "Creando un código para su teléfono.",
    scan: "Escanee este código con su teléfono. Firme allí: lo que dibuje aparece aquí. El código vale diez minutos.",
    code: "Código para su teléfono",
    copy: "Copiar el enlace en su lugar",
    copied: "El enlace se ha copiado",
    there: "Su teléfono está conectado. Firme allí y pulse Listo.",
    taken: "Otro teléfono ha tomado el relevo.",
    drawn: "Lo que se dibuja en el teléfono",
    away: "Ahora no se puede contactar con el servidor. Lo dibujado está a salvo.",
    expired: "El código ha caducado. Lo dibujado se conserva.",
    failed: "Ahora no se puede usar un teléfono. Compruebe la conexión o firme aquí.",
    again: "Mostrar un código nuevo",
  },
  ar: {
    making: "يجري إنشاء رمز لهاتفك.",
    scan: "امسح هذا الرمز بهاتفك ووقّع هناك: ما ترسمه يظهر هنا. الرمز صالح لعشر دقائق.",
    code: "رمز لهاتفك",
    copy: "نسخ الرابط بدلاً من ذلك",
    copied: "تم نسخ الرابط",
    there: "هاتفك متصل. وقّع هناك ثم اضغط «تم».",
    taken: "تولّى هاتف آخر التوقيع.",
    drawn: "ما يُرسم على الهاتف",
    away: "لا يمكن الوصول إلى الخادم الآن. ما رُسم محفوظ.",
    expired: "انتهت صلاحية الرمز. ما رُسم باقٍ.",
    failed: "لا يمكن استخدام هاتف الآن. تحقق من الاتصال أو وقّع هنا.",
    again: "عرض رمز جديد",
  },
  zh: {
    making: "正在为您的手机生成二维码。",
    scan: "请用手机扫描此二维码，并在手机上签名：您所写的会显示在这里。二维码十分钟内有效。",
    code: "手机用二维码",
    copy: "改为复制链接",
    copied: "链接已复制",
    there: "手机已连接。请在手机上签名，然后按“完成”。",
    taken: "另一部手机已接手。",
    drawn: "手机上所写的内容",
    away: "暂时无法连接服务器。已写的内容是安全的。",
    expired: "二维码已失效。已写的内容会保留。",
    failed: "现在无法使用手机。请检查连接，或在此签名。",
    again: "显示新的二维码",
  },
  ja: {
    making: "スマートフォン用のコードを作成しています。",
    scan: "このコードをスマートフォンで読み取り、そちらで署名してください。書いたものがここに表示されます。コードは10分間有効です。",
    code: "スマートフォン用のコード",
    copy: "代わりにリンクをコピー",
    copied: "リンクをコピーしました",
    there: "スマートフォンがつながりました。そちらで署名し、「完了」を押してください。",
    taken: "別のスマートフォンに引き継がれました。",
    drawn: "スマートフォンで書かれているもの",
    away: "今はサーバーに接続できません。書いたものは失われません。",
    expired: "コードの有効期限が切れました。書いたものは残っています。",
    failed: "今はスマートフォンを使えません。接続を確かめるか、ここで署名してください。",
    again: "新しいコードを表示",
  },
}
