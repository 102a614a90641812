import type { ScreenKind } from "../../../../clients/typescript/src/contract/consent_v1.js"
import type { ShowBody } from "../host.js"
import { showEnd } from "./end.js"
import { showName } from "./name.js"
import { showPage } from "./page.js"
import { showQuestions } from "./questions.js"
import { showRecap } from "./recap.js"
import { showReview } from "./review.js"
import { showSharing } from "./sharing.js"
import { showSignature } from "./signature.js"
import { showWords } from "./words.js"

/** What shows each kind of screen. A new kind is a file beside these and a line here. */
export const screens: Partial<Record<ScreenKind, ShowBody>> = {
  SCREEN_KIND_PLAIN: showEnd,
  SCREEN_KIND_FORM: showWords,
  SCREEN_KIND_INSTRUCTION: showWords,
  SCREEN_KIND_QUESTIONS: showQuestions,
  SCREEN_KIND_VISUAL: showWords,
  SCREEN_KIND_SHARING: showSharing,
  SCREEN_KIND_REVIEW: showReview,
  SCREEN_KIND_NAME: showName,
  SCREEN_KIND_SIGNATURE: showSignature,
  SCREEN_KIND_COMPLETION: showEnd,
  SCREEN_KIND_RECAP: showRecap,
  SCREEN_KIND_PAGE: showPage,
}
