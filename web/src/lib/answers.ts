/** Answers of the HTTP interface about players, bots and contests; what several pages share stands in types.ts. */

import type { Player } from "./types";

export interface Rating {
  game: string;
  rating: number;
  deviation: number;
  matches: number;
}

/** A line of a leaderboard. */
export interface Leader extends Rating {
  player: Player;
  place?: number;
}

export interface PlayerPage {
  player: Player;
  ratings: Rating[];
  bots: Bot[];
}

export interface CurveEntry {
  at: string;
  rating: number;
  deviation: number;
  match: string | null;
}

export interface Token {
  id: number;
  label: string;
  scopes: string[];
  created: string;
  last_used: string | null;
  secret?: string; // told once, when it is made
}

export interface Bot {
  name: string;
  game: string; // empty: any
  kind: "remote" | "webhook" | "upload";
  address: string;
  file_name: string;
  version: number;
  enabled: boolean;
  created: string;
  about?: string;
}

export interface BotTest {
  state: "none" | "running" | "over" | "failed";
  match: string | null;
  result: string;
  failures: string[];
  log: string[];
}

export interface ContestLine {
  id: string;
  name: string;
  game: string;
  format: string;
  created: string;
  matches: number;
  published_by: string | null;
}
