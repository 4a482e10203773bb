/** Colours and shapes of the seats, as every screen has them (screens/palette.py, screens/svg.py). */

const SEAT_COLOURS = ["#56b4e9", "#e69f00", "#10a36c", "#cc79a7", "#f0e442", "#ee6a1c", "#8f9bff", "#e6e6e6"] as const;

/** In a box of 100 x 100. */
const SEAT_SHAPES = [
  "M50 8a42 42 0 1 0 0 84 42 42 0 1 0 0-84z",
  "M50 6 96 90H4z",
  "M12 12h76v76H12z",
  "M50 2 98 50 50 98 2 50z",
  "M50 2 62 37l37 1-29 23 10 36-30-21-30 21 10-36L1 38l37-1z",
  "M35 5h30v30h30v30H65v30H35V65H5V35h30z",
  "M50 94C10 62 2 44 6 28 12 6 40 4 50 26 60 4 88 6 94 28c4 16-4 34-44 66z",
  "M50 2a22 22 0 0 1 19 33 22 22 0 1 1-12 40l6 23H37l6-23a22 22 0 1 1-12-40A22 22 0 0 1 50 2z",
] as const;

const at = <T>(list: readonly T[], seat: number): T => list[((seat % list.length) + list.length) % list.length] as T;

export const seatColour = (seat: number): string => (seat >= 0 ? at(SEAT_COLOURS, seat) : "#aab4be");
export const seatShape = (seat: number): string => at(SEAT_SHAPES, seat);
