/** Lines and titles say "seat 0"; a reader knows the players by their names. */

/** The text with names instead of seats. Where two players share a name, seats are clearer. */
export function withNames(text: string, names: readonly string[]): string {
  if (new Set(names).size < names.length) return text;
  return text.replace(/\bseat (\d+)\b/gi, (said, seat: string) => names[Number(seat)] || said);
}
