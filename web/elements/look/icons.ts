/** Icons on a grid of 24, as paths. */
export const icons = {
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1Z"
    + "M15.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  keys: "M5.5 6h13A2.5 2.5 0 0 1 21 8.5v7a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 15.5v-7A2.5 2.5 0 0 1 5.5 6Z"
    + "M7 10v.1M11 10v.1M15 10v.1M17 14v.1M7 14v.1M10 14h4",
  pen: "m4 20 1-4.5L16 4.5a2.1 2.1 0 0 1 3 0l.5.5a2.1 2.1 0 0 1 0 3L8.5 19Zm10-13.5 3.5 3.5",
  phone: "M7 3h10v18H7ZM11 18h2",
  undo: "M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4.5 9M4.5 4v5h5",
  warn: "M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17v.1",
}

export type IconName = keyof typeof icons

/** What points along the line of reading, and is mirrored with it. */
export const flipped: readonly IconName[] = ["pen", "undo"]
