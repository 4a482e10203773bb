/** Setting up tables: what the quick buttons and the form of the play page ask the server for. */

import { account } from "./account.svelte";
import { post } from "./api";
import type { GameInfo, MatchInfo } from "./types";

export type SeatWish = { kind: "me"; name?: string } | { kind: "open" } | { kind: "bot"; bot: string };

export interface TableWish {
  game: string;
  seats: SeatWish[];
  options?: Record<string, unknown>;
  clock?: string;
  listed?: boolean;
  rated?: boolean;
}

/** A key of its own, so that a request sent twice makes one table. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function openTable(wish: TableWish, key: string = freshKey()): Promise<MatchInfo> {
  const whole = { options: {}, clock: "", listed: true, rated: false, ...wish };
  const table = await post<MatchInfo>("/matches", whole, { "Idempotency-Key": key });
  if (!account.player) void account.refresh(); // the first table makes a guest
  return table;
}

/** The option by which a game's number of seats is chosen, where it can be. */
export function seatOption(game: GameInfo): { least: number; most: number; usual: number } {
  const [least, most] = game.players;
  const option = game.options.find((one) => one.name === "players");
  const usual = typeof option?.default === "number" ? option.default : least;
  return { least, most: option ? most : usual, usual };
}

/** Seats for one who wants to play at once: himself and bots, in the game's usual number, two where one would be alone. */
export function againstBots(game: GameInfo, bot: string, seats = seatOption(game).usual): SeatWish[] {
  return [{ kind: "me" }, ...Array.from({ length: Math.max(1, seats - 1) }, (): SeatWish => ({ kind: "bot", bot }))];
}

export function againstFriend(game: GameInfo): SeatWish[] {
  const seats = Math.max(2, seatOption(game).least);
  return [{ kind: "me" }, ...Array.from({ length: seats - 1 }, (): SeatWish => ({ kind: "open" }))];
}

export function botsOnly(game: GameInfo): SeatWish[] {
  const levels = game.levels.filter((level) => level.level !== "easy").map((level) => level.level);
  const seats = Math.max(2, seatOption(game).usual);
  return Array.from({ length: seats }, (_, seat): SeatWish => ({ kind: "bot", bot: levels[seat % levels.length] ?? game.levels[0]?.level ?? "easy" }));
}

/** A table with so many seats: games that can have more or fewer are told how many by an option. */
export function withSeats(game: GameInfo, options: Record<string, unknown>, seats: number): Record<string, unknown> {
  return game.options.some((option) => option.name === "players") ? { ...options, players: seats } : options;
}
