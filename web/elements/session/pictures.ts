import type { SectionType } from "../../../clients/typescript/src/contract/consent_v1.js"

/** A rectangle as x, y, width, height and radius of its corners; a disc as its centre and radius. */
export type Sheet = [number, number, number, number, number]
export type Disc = [number, number, number]

export type Layer = "paper" | "block" | "sun"

/**
 * A picture on a ground of 342 by 216: two sheets and a sun, which every picture has and which move from one picture to
 * the next, and what is drawn below and above them.
 */
export interface Picture {
  paper: Sheet
  block: Sheet
  sun: Disc
  /** Which of the three lies above which, from below; paper, block and sun unless stated. */
  layers?: Layer[]
  below?: Shape[]
  above?: Shape[]
}

/** A shape: its classes, and its path. A circle is a path of two arcs, a bar one with round corners. */
export type Shape = [look: string, path: string]

function bar(x: number, y: number, width: number, height: number, radius = height / 2): string {
  const r = Math.min(radius, width / 2, height / 2)
  return `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1-${r} ${r}`
    + `h-${width - 2 * r}a${r} ${r} 0 0 1-${r}-${r}v-${height - 2 * r}a${r} ${r} 0 0 1 ${r}-${r}Z`
}

function ring(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1-${2 * r} 0Z`
}

/** Lines of writing. */
function lines(x: number, y: number, ...widths: number[]): Shape[] {
  return widths.map((width, at) => ["b faint", bar(x, y + at * 15, width, 6)])
}

const check = (x: number, y: number, size: number): Shape =>
  ["mark", `m${x} ${y} ${size} ${size} ${size * 1.9}-${size * 2}`]

export const pictures: Partial<Record<SectionType | "done" | "away", Picture>> = {
  SECTION_TYPE_OVERVIEW: {
    paper: [120, 30, 102, 160, 10], block: [210, 22, 46, 178, 7], sun: [171, 96, 30],
    layers: ["paper", "sun", "block"],
    below: [["p faint", "M120 190h102l74 26H46Z"]],
    above: [
      ["dot p", "M220 112v.1"],
      ["b faint", bar(54, 150, 44, 40, 8)], ["line b half", "M76 150c-2-22-18-26-18-40M76 150c2-26 18-30 20-46"],
    ],
  },
  SECTION_TYPE_DATA_GATHERING: {
    block: [58, 30, 92, 156, 18], paper: [66, 42, 76, 132, 8], sun: [238, 102, 46],
    layers: ["block", "paper", "sun"],
    below: [["line b half", "M150 132c40 40 60 8 74 8"]],
    above: [
      ["b faint", bar(78, 120, 10, 38, 4)], ["b half", bar(93, 104, 10, 54, 4)], ["b", bar(108, 88, 10, 70, 4)],
      ["b half", bar(123, 110, 10, 48, 4)], ["b", bar(78, 58, 36, 9)],
      ["p", ring(238, 102, 34)], ["line ink", "m238 102 15-17"], ["ink", ring(238, 102, 6)],
    ],
  },
  SECTION_TYPE_PRIVACY: {
    paper: [72, 52, 60, 112, 12], block: [146, 100, 50, 42, 9], sun: [171, 96, 54],
    layers: ["paper", "sun", "block"],
    below: [
      ["b faint", "M171 18l84 28v58c0 48-34 80-84 98-50-18-84-50-84-98V46Z"],
      ["p", bar(210, 52, 60, 112, 12)],
      ["b", ring(96, 76, 10)], ["b faint", bar(84, 98, 30, 6)], ["b faint", bar(84, 112, 24, 6)],
      ["b half", bar(228, 124, 9, 26, 4)], ["b", bar(242, 96, 9, 54, 4)],
    ],
    above: [["line mark", "M157 100V88a14 14 0 0 1 28 0v12"], ["dot s", "M171 117v.1"], ["line thin s", "M171 118v9"]],
  },
  SECTION_TYPE_DATA_USE: {
    paper: [56, 34, 148, 148, 14], block: [128, 92, 22, 72, 6], sun: [226, 104, 46],
    above: [
      ["b faint", bar(76, 132, 22, 32, 6)], ["b half", bar(102, 112, 22, 52, 6)], ["b faint", bar(154, 122, 22, 42, 6)],
      ["b", bar(76, 54, 54, 9)], ["line thick ink", "m260 138 32 34"],
      ["p", ring(226, 104, 36)], ["b half", bar(206, 104, 12, 22, 4)], ["b", bar(222, 88, 12, 38, 4)],
      ["b half", bar(238, 98, 12, 28, 4)],
    ],
  },
  SECTION_TYPE_TIME_COMMITMENT: {
    paper: [62, 40, 144, 140, 14], block: [62, 40, 144, 36, 14], sun: [234, 132, 50],
    above: [
      ["line p", "M98 32v18M170 32v18"],
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((at): Shape =>
        [at === 4 ? "b" : "b faint", bar(80 + (at % 3) * 30, 92 + Math.floor(at / 3) * 26, 18, 14, 4)]),
      ["p", ring(234, 132, 38)], ["line ink", "M234 110v23l15 10"],
    ],
  },
  SECTION_TYPE_STUDY_SURVEY: {
    paper: [92, 30, 150, 164, 14], block: [136, 20, 62, 22, 11], sun: [250, 150, 30],
    above: [
      ...[0, 1, 2].flatMap((at): Shape[] => [
        [at < 2 ? "b" : "b faint", bar(110, 62 + at * 40, 24, 24, 7)],
        ["b faint", bar(146, 66 + at * 40, 74 - at * 12, 6)], ["b faint", bar(146, 78 + at * 40, 48, 6)],
        ...at < 2 ? [["line thin p", `m116 ${74 + at * 40} 5 5 8-10`] as Shape] : [],
      ]),
      check(237, 151, 9),
    ],
  },
  SECTION_TYPE_STUDY_TASKS: {
    paper: [166, 36, 130, 146, 14], block: [78, 78, 44, 62, 20], sun: [100, 52, 22],
    above: [
      ["line b", "M88 132l-10 54M112 132l16 54"], ["line b", "M112 94l30 22"], ["line b half", "M88 94l-24 26"],
      ...[0, 1, 2].flatMap((at): Shape[] => [
        [at < 2 ? "s" : "b faint", ring(190, 66 + at * 42, 11)],
        ["b faint", bar(212, 60 + at * 42, 64 - at * 10, 6)], ["b faint", bar(212, 73 + at * 42, 40, 6)],
        ...at < 2 ? [["mark thin", `m185 ${66 + at * 42} 4 4 7-8`] as Shape] : [],
      ]),
    ],
  },
  SECTION_TYPE_WITHDRAWING: {
    paper: [64, 32, 104, 158, 10], block: [184, 84, 42, 60, 20], sun: [205, 58, 21],
    below: [["p faint", "M64 190h104l70 26H34Z"]],
    above: [
      ["dot b", "M152 112v.1"], ["b faint", bar(64, 32, 24, 158, 10)],
      ["line b", "M196 136l-14 50M214 136l18 24-2 28"], ["line b half", "M188 98l-26 18"], ["line b", "M222 98l22 18"],
      ["line s", "M262 112h38m-14-15 15 15-15 15"],
    ],
  },
  done: {
    paper: [104, 28, 134, 164, 14], block: [124, 50, 62, 9, 4.5], sun: [244, 150, 32],
    below: [["s", ring(70, 70, 7)], ["b faint", ring(284, 62, 10)], ["b faint", ring(64, 146, 12)]],
    above: [
      ...lines(124, 72, 94, 80, 88),
      ["line thin ink", "M128 152c8-22 14-28 17-25s-6 28-2 28 8-16 14-16 0 13 6 12 6-5 12-7 14 2 22 0"],
      ["b faint", bar(124, 166, 94, 2)], check(230, 151, 10),
    ],
  },
  away: {
    paper: [126, 172, 90, 60, 6], block: [118, 164, 106, 70, 12], sun: [212, 104, 17],
    layers: ["block", "paper", "sun"],
    below: [
      ["p", "M140 106a27 27 0 0 1-3-53.8 38 38 0 0 1 71-5.2 30 30 0 0 1 2 59Z"], ["line b dashes", "M171 122v34"],
    ],
    above: [
      ["line thin ink", "M140 202c6-14 10-18 12-16s-4 16 0 16 6-10 10-10 0 8 5 7 6-3 10-4 10 1 18 0"],
      ["line mark thin", "M212 96v9M212 111v.1"],
    ],
  },
}
