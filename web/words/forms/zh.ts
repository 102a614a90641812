import type { FormWords } from "./words.js"

/** What forms over documents and flows say, in Chinese. */
export const words: FormWords = {
  topics: {
    document: "文件", purposes: "目的", signatures: "签名", questions: "问题", sharing: "共享", age: "年龄", time: "时间与重新同意",
    ethics: "伦理批准", receipts: "回执", also: "本文件还包括", sections: "章节", flow: "流程", steps: "步骤", condition: "何时显示",
  },
  fields: {
    title: "标题", reviewText: "文件上方的引言", reasonForConsent: "同意所确认的内容", signaturePageTitle: "签名页标题",
    signaturePageContent: "签名页正文", withoutScrollGate: "可以在滚动到末尾之前同意", recap: "最后由本人确认所填内容",
    namesOnPages: "副本每页都有参与者姓名", code: "程序使用的名称", optionalPurpose: "用单独的问题征求", purposeTitle: "通俗名称，或所提的问题",
    description: "为此所做的事", dataCategories: "数据种类，每行一项", recipients: "其他接收者，每行一项", retention: "保存期限", role: "签署人",
    signerTitle: "签署人称谓", meaning: "签名的含义", order: "顺序", requiresName: "要求填写姓名", requiresImage: "要求手写签名",
    refusesTyped: "键入的签名不够", allowsUploaded: "可以使用签名照片", initials: "用姓名缩写代替完整签名",
    requiresReauthentication: "签署时须再次验证密码", allowsReused: "可以重复使用已存的签名", signersMayCoincide: "一人可以签署多处",
    inForceFrom: "生效时间", signaturesWithinDays: "全部签署的期限（天）", questionKind: "答案类型", prompt: "问题", detail: "补充说明",
    choiceText: "内容", correct: "此答案正确", acceptedAnswers: "视为正确的答案，每行一项", rightAnswer: "正确答案", onCopy: "答案写入签署副本",
    passMark: "所需的正确答案数", attempts: "尝试次数", afterFailedAttempt: "未通过之后", renewedAfter: "多少天后可重新尝试",
    renewedBy: "谁可给予新的尝试", failedText: "未通过者看到的文字", offersSharing: "由本人选择与谁共享数据", investigatorShort: "研究者（简称）",
    investigatorLong: "研究者（全称）", learnMoreHtml: "“了解更多”的内容（HTML）", minimumAge: "参加的最低年龄", majorityAge: "无须他人许可的年龄",
    assentAge: "未成年人须同时签署的年龄", guardianAuthority: "监护人声明其权限的文字", offeredFrom: "可同意的起始日", offeredUntil: "可同意的截止日",
    lastsDays: "同意有效的天数", reconsent: "同意过早期版本的人", reconsentBy: "须在此日期前重新同意", declineEffect: "拒绝此版本时", number: "编号",
    committee: "委员会", validFrom: "有效期自", validUntil: "有效期至（不含）", name: "数据负责方", address: "邮寄地址", email: "电子邮件",
    phone: "电话", url: "网站", contact: "咨询对象", rights: "本人的权利，每行一项", withdrawal: "如何撤回", withdrawalUrl: "撤回网址",
    sectionTitle: "屏幕上的标题", formalTitle: "文件中的标题", summary: "摘要：一句话，显示在屏幕上", htmlContent: "正文（HTML）",
    markdownContent: "正文（Markdown）", content: "正文", imageAlt: "图片内容说明（供看不见的人）", learnMoreTitle: "“了解更多”按钮文字",
    animationCaption: "动画的文字说明", htmlReviewContent: "代替章节的正文（HTML）", omitFromDocument: "只在屏幕上，不在文件中",
    defaultLocale: "默认语言", sessionLifetime: "会话可暂停的天数", documentId: "文件", arrangement: "排列", condition: "可否不同意而继续？",
    purpose: "程序使用的名称", body: "正文", text: "正文", together: "所有问题在同一屏", optionalQuestion: "可以不回答", unit: "单位，如 kg",
    minimum: "最小", maximum: "最大", decimals: "小数位", step: "每级间隔", minimumLabel: "第一级的含义", maximumLabel: "最后一级的含义",
    sectionIds: "仅这些章节", goesOn: "不同意者继续", declinedText: "拒绝后的文字", endTitle: "顺利结束时的标题", endText: "顺利结束时的文字",
    endContact: "咨询对象", siteIds: "在这些中心", fromAge: "自此年龄起", belowAge: "低于此年龄", stepId: "来自哪一步", questionId: "哪个问题",
    choiceIds: "选择了其中之一", boolean: "回答为", atLeast: "至少", atMost: "至多", negated: "必须不是这样", version: "版本",
  },
  helps: {
    code: "程序据此询问是否许可。后续版本请保持不变。字母、数字、短横线。", purposes: "同意文件即同意所有没有单独问题的目的。", optionalPurpose: "没有它，同意也完整。",
    reasonForConsent: "同意时确认这句话。", meaning: "例如：我同意参加。", order: "数字小者先签；相同者不限顺序。",
    requiresReauthentication: "如 21 CFR 11.200 所要求。", never: "0：无期限。", passMark: "少于此数不能签署。", attempts: "0：不限。",
    minimumAge: "0：不限。", majorityAge: "低于此年龄须监护人签署。0：不要求监护人。", assentAge: "0：未成年人从不签署。", rights: "例如：查看您的数据。",
    version: "0：会话开始时的最新版本。", sessionLifetime: "0：七天。", contact: "在停止处显示。", formPurpose: "空：步骤名称。",
  },
  options: {
    unspecified: "未说明", participant: "参与者", guardian: "监护人", witness: "见证人", investigator: "研究者",
    participant_signature: "参与者签署时", last_signature: "最后一个签名", single: "单选", multiple: "多选", text: "一行文字",
    date: "日期", birth_date: "出生日期", boolean: "是或否", number: "数字", scale: "量表", time_of_day: "时刻", yes: "是", no: "否",
    retry: "重新提问", restudy: "先再次展示章节", end: "会话结束", staff: "研究者和协调员", nobody: "无人", no_action: "保留其同意",
    notify: "保留并被告知", by_date: "须在某日前重新同意", byPolicy: "由此决定", keeps: "先前的同意保留", ends: "先前的同意终止", one: "单页",
    sequential: "多页", optional: "可以：仅询问", mandatory: "不可：拒绝即结束", ownQuestions: "流程自己的问题",
  },
  items: {
    purposes: "目的 {number}", signatures: "签名 {number}", questions: "问题 {number}", choices: "选项 {number}",
    steps: "步骤 {number}", pages: "第 {number} 页", answers: "回答 {number}", documents: "文件 {number}",
  },
  add: {
    purposes: "添加目的", signatures: "添加签名", questions: "添加问题", choices: "添加选项", steps: "添加步骤", pages: "添加页面",
    answers: "仅在某回答之后", documents: "固定版本",
  },
  steps: {
    form: "许可", instruction: "阅读内容", question: "问题", visual: "文件章节", sharing: "共享选择", review: "阅读、同意并签署",
    completion: "结束", kind: "步骤类型",
  },
  conditions: {
    always: "始终", when: "若 {all}", fromAge: "{age} 岁起", belowAge: "未满 {age} 岁", atSites: "在 {sites}",
    answered: "“{question}”为 {answers}", notAnswered: "“{question}”不为 {answers}", atLeast: "至少 {number}",
    atMost: "至多 {number}",
  },
  flow: {
    walk: "试走", walkTitle: "以测试参与者试走", walkWhat: "不计入任何统计。您在参与者旁操作设备。", again: "重新开始", addLanguage: "添加语言",
    published: "此版本已发布：另写新版本。", noSteps: "还没有步骤", noStepsWhy: "请添加：多数流程先阅读，再征求文件同意，然后结束。",
  },
}
