import { glyph } from "../dom.js"

/** Icons of screens, on a grid of 24, as paths. */
const icons = {
  back: "M14.5 5.5 8 12l6.5 6.5",
  clock: "M3 12a9 9 0 1 1 18 0 9 9 0 0 1-18 0ZM12 7v5.5l3.5 2",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"
    + "M9.2 12a2.8 2.8 0 1 1 5.6 0 2.8 2.8 0 0 1-5.6 0Z",
  file: "M6 3.500h8l4.5 4.500v12.500H6ZM13.5 3.500V8.500h5M9 13h6M9 16.500h4",
  info: "M3 12a9 9 0 1 1 18 0 9 9 0 0 1-18 0ZM12 11v5.500M12 7.600v.1",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  off: "M7 18.500A4.3 4.3 0 0 1 6.5 10 6 6 0 0 1 17.5 9a4.8 4.8 0 0 1 .5 9.500M10 14l4.5 4.500m0-4.500L10 18.5",
  save: "M12 4v11m-4.5-4 4.5 4.5 4.5-4.500M5 20h14",
  shield: "M12 3.5 5 6v5.500c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6ZM9 12l2.2 2.200L15.2 10",
  stop: "M3 12a9 9 0 1 1 18 0 9 9 0 0 1-18 0ZM12 7v6M12 16.400v.1",
}

export type IconName = keyof typeof icons

export function icon(name: IconName): SVGElement {
  return glyph(icons[name], name === "back" || name === "next")
}
