/** What the page about a link says by itself: everything else comes from the server. */
export interface LinkWords {
  title: string
  opening: string
  unknown: string
  usedUp: string
  revoked: string
  expired: string
  ended: string
  noCookies: string
  askCode: string
  askBirthDate: string
  wrong: string
  tooMany: string
  away: string
  failed: string
  goOn: string
  again: string
  leave: string
  left: string
}

export const words: Record<string, LinkWords> = {
  en: {
    title: "Consent",
    opening: "Opening your link",
    unknown: "There is nothing behind this link. Check that it is complete, or ask whoever gave it to you.",
    usedUp: "This link was used, and what it led to has ended. Ask whoever gave it to you if you need another one.",
    revoked: "This link was taken back. Ask whoever gave it to you.",
    expired: "This link has expired. Ask whoever gave it to you for a new one.",
    ended: "To go on, open your link again.",
    noCookies: "This browser keeps no cookies. Allow them for this page, and open your link again.",
    askCode: "The code that you were told",
    askBirthDate: "Your date of birth",
    wrong: "That is not what we have on record. Please check it.",
    tooMany: "There were too many attempts. Please try again later.",
    away: "The server cannot be reached. Nothing is lost.",
    failed: "This cannot be shown now. Ask whoever gave you the link.",
    goOn: "Continue",
    again: "Try again",
    leave: "Leave this page",
    left: "You have left. To go on, open your link again.",
  },
  de: {
    title: "Einwilligung",
    opening: "Ihr Link wird geöffnet",
    unknown: "Hinter diesem Link ist nichts. Prüfen Sie, ob er vollständig ist, oder fragen Sie, wer ihn Ihnen gab.",
    usedUp: "Dieser Link wurde benutzt, und es ist abgeschlossen. Brauchen Sie einen neuen, fragen Sie, wer ihn Ihnen gab.",
    revoked: "Dieser Link wurde zurückgezogen. Fragen Sie, wer ihn Ihnen gab.",
    expired: "Dieser Link ist abgelaufen. Bitten Sie um einen neuen.",
    ended: "Um fortzufahren, öffnen Sie Ihren Link noch einmal.",
    noCookies: "Dieser Browser behält keine Cookies. Erlauben Sie sie für diese Seite, und öffnen Sie Ihren Link noch einmal.",
    askCode: "Der Code, der Ihnen mitgeteilt wurde",
    askBirthDate: "Ihr Geburtsdatum",
    wrong: "Das ist nicht, was bei uns vermerkt ist. Bitte prüfen Sie es.",
    tooMany: "Es waren zu viele Versuche. Bitte versuchen Sie es später noch einmal.",
    away: "Der Server ist nicht zu erreichen. Nichts ist verloren.",
    failed: "Das lässt sich jetzt nicht zeigen. Fragen Sie, wer Ihnen den Link gab.",
    goOn: "Weiter",
    again: "Noch einmal versuchen",
    leave: "Diese Seite verlassen",
    left: "Sie haben die Seite verlassen. Um fortzufahren, öffnen Sie Ihren Link noch einmal.",
  },
  fr: {
    title: "Consentement",
    opening: "Ouverture de votre lien",
    unknown: "Ce lien ne mène à rien. Vérifiez qu’il est complet, ou demandez à la personne qui vous l’a donné.",
    usedUp: "Ce lien a été utilisé et la démarche est terminée. Au besoin, demandez-en un autre.",
    revoked: "Ce lien a été retiré. Adressez-vous à la personne qui vous l’a donné.",
    expired: "Ce lien a expiré. Demandez-en un nouveau.",
    ended: "Pour continuer, ouvrez à nouveau votre lien.",
    noCookies: "Ce navigateur ne garde pas de cookies. Autorisez-les pour cette page, puis rouvrez votre lien.",
    askCode: "Le code qui vous a été communiqué",
    askBirthDate: "Votre date de naissance",
    wrong: "Cela ne correspond pas à ce qui est enregistré. Veuillez vérifier.",
    tooMany: "Il y a eu trop de tentatives. Réessayez plus tard.",
    away: "Le serveur est injoignable. Rien n’est perdu.",
    failed: "Impossible de l’afficher pour le moment. Adressez-vous à la personne qui vous a donné le lien.",
    goOn: "Continuer",
    again: "Réessayer",
    leave: "Quitter cette page",
    left: "Vous avez quitté la page. Pour continuer, ouvrez à nouveau votre lien.",
  },
  es: {
    title: "Consentimiento",
    opening: "Abriendo su enlace",
    unknown: "No hay nada en este enlace. Compruebe que esté completo o pregunte a quien se lo dio.",
    usedUp: "Este enlace ya se usó y el proceso ha terminado. Si necesita otro, pídaselo a quien se lo dio.",
    revoked: "Este enlace se retiró. Pregunte a quien se lo dio.",
    expired: "Este enlace ha caducado. Pida uno nuevo.",
    ended: "Para continuar, vuelva a abrir su enlace.",
    noCookies: "Este navegador no guarda cookies. Permítalas para esta página y abra su enlace otra vez.",
    askCode: "El código que le comunicaron",
    askBirthDate: "Su fecha de nacimiento",
    wrong: "No es lo que consta. Compruébelo, por favor.",
    tooMany: "Ha habido demasiados intentos. Vuelva a intentarlo más tarde.",
    away: "No se puede contactar con el servidor. No se ha perdido nada.",
    failed: "Ahora no se puede mostrar. Pregunte a quien le dio el enlace.",
    goOn: "Continuar",
    again: "Volver a intentarlo",
    leave: "Salir de esta página",
    left: "Ha salido. Para continuar, vuelva a abrir su enlace.",
  },
  ar: {
    title: "الموافقة",
    opening: "جارٍ فتح الرابط",
    unknown: "لا يؤدي هذا الرابط إلى شيء. تأكد من أنه كامل، أو اسأل من أعطاك إياه.",
    usedUp: "استُخدم هذا الرابط وانتهى ما كان يؤدي إليه. إذا احتجت إلى رابط آخر فاسأل من أعطاك إياه.",
    revoked: "سُحب هذا الرابط. اسأل من أعطاك إياه.",
    expired: "انتهت صلاحية هذا الرابط. اطلب رابطًا جديدًا.",
    ended: "للمتابعة، افتح رابطك مرة أخرى.",
    noCookies: "لا يحتفظ هذا المتصفح بملفات تعريف الارتباط. اسمح بها لهذه الصفحة، ثم افتح رابطك مرة أخرى.",
    askCode: "الرمز الذي أُخبرت به",
    askBirthDate: "تاريخ ميلادك",
    wrong: "هذا ليس ما هو مسجّل لدينا. يُرجى التحقق منه.",
    tooMany: "كانت هناك محاولات كثيرة جدًا. يُرجى المحاولة لاحقًا.",
    away: "لا يمكن الوصول إلى الخادم. لم يُفقد شيء.",
    failed: "لا يمكن عرض هذا الآن. اسأل من أعطاك الرابط.",
    goOn: "متابعة",
    again: "إعادة المحاولة",
    leave: "مغادرة هذه الصفحة",
    left: "لقد غادرت. للمتابعة، افتح رابطك مرة أخرى.",
  },
  zh: {
    title: "知情同意",
    opening: "正在打开您的链接",
    unknown: "此链接没有对应的内容。请检查链接是否完整，或询问提供链接的人。",
    usedUp: "此链接已使用，其内容已结束。如需新的链接，请询问提供链接的人。",
    revoked: "此链接已被撤回。请询问提供链接的人。",
    expired: "此链接已过期。请索取新的链接。",
    ended: "如需继续，请再次打开您的链接。",
    noCookies: "此浏览器不保留 Cookie。请允许此页面使用 Cookie,然后重新打开您的链接。",
    askCode: "您被告知的代码",
    askBirthDate: "您的出生日期",
    wrong: "这与记录不符。请检查。",
    tooMany: "尝试次数过多。请稍后再试。",
    away: "无法连接服务器。没有任何内容丢失。",
    failed: "目前无法显示。请询问提供链接的人。",
    goOn: "继续",
    again: "重试",
    leave: "离开此页面",
    left: "您已离开。如需继续，请再次打开您的链接。",
  },
  ja: {
    title: "同意",
    opening: "リンクを開いています",
    unknown: "このリンクの先には何もありません。リンクがすべて入力されているか確認するか、渡した人にお尋ねください。",
    usedUp: "このリンクは使用され、手続きは終了しました。別のリンクが必要な場合は、渡した人にお尋ねください。",
    revoked: "このリンクは取り消されました。渡した人にお尋ねください。",
    expired: "このリンクは期限切れです。新しいリンクをお求めください。",
    ended: "続けるには、リンクをもう一度開いてください。",
    noCookies: "このブラウザーは Cookie を保存しません。このページに許可してから、リンクをもう一度開いてください。",
    askCode: "伝えられたコード",
    askBirthDate: "生年月日",
    wrong: "記録と一致しません。ご確認ください。",
    tooMany: "試行回数が多すぎます。後でもう一度お試しください。",
    away: "サーバーに接続できません。失われたものはありません。",
    failed: "現在表示できません。リンクを渡した人にお尋ねください。",
    goOn: "続ける",
    again: "もう一度試す",
    leave: "このページを離れる",
    left: "ページを離れました。続けるには、リンクをもう一度開いてください。",
  },
}

/** The language that the browser prefers among those that there are, or English. */
export function preferred(): { tag: string, words: LinkWords } {
  for (const wish of navigator.languages) {
    const tag = wish.toLowerCase().split("-")[0]!
    const found = words[tag]
    if (found) return { tag, words: found }
  }
  return { tag: "en", words: words["en"]! }
}
