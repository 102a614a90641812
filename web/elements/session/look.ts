import { styled } from "../dom.js"
import controls from "../look/controls.css"
import tokens from "../look/tokens.css"
import alert from "./alert.css"
import end from "./end.css"
import frame from "./frame.css"
import motion from "./motion.css"
import pictures from "./pictures.css"
import questions from "./questions.css"
import recap from "./recap.css"
import text from "./text.css"
import moreTokens from "./tokens.css"
import tools from "./tools.css"
import widths from "./widths.css"

/** How screens look. Of rules that weigh the same, the last one counts. */
export const look = styled(
  tokens, moreTokens, controls, frame, text, questions, recap, end, tools, alert, motion, widths, pictures)
