/** Answers of the HTTP interface about players, bots, tokens and contests; what several pages share stands in types.ts. */

import type { Outcome, Player } from "./types";

export interface Rating {
  game: string;
  rating: number;
  deviation: number;
  matches: number;
}

/** A line of a leaderboard. */
export interface Leader extends Rating {
  place: number;
  player: Player & { owner?: string | null };
}

export interface PlayerPage {
  player: Player & { owner?: string | null };
  ratings: Rating[];
  bots: { name: string; game: string; kind: Bot["kind"]; enabled: boolean }[];
}

export interface CurveEntry {
  at: string;
  rating: number;
  deviation: number;
  match: string;
}

export interface Token {
  id: number;
  label: string;
  scopes: string[];
  created: string;
  last_used: string | null;
}

export interface NewToken {
  id: number;
  label: string;
  secret: string; // told this once only
}

export interface Bot {
  name: string;
  game: string; // empty: any
  kind: "remote" | "webhook" | "upload";
  about: string;
  owner: string;
  created: string;
  version: number;
  enabled: boolean;
  mine: boolean;
  online: boolean | null; // of a remote bot: it listens now
  address: string | null;
  file_name: string | null;
  log: string[] | null;
}

export interface Trial {
  state: "none" | "waiting" | "playing" | "over" | "failed";
  what: string;
  match: string | null;
  step: number;
  result: Outcome | null;
  seat: number;
  failures: { at: string; match: string; kind: string; stage: string; what: string; time_ms: number }[];
  log: string[];
}

export interface ContestSummary {
  id: string;
  name: string;
  game: string;
  title: string;
  format: string;
  created: string;
  published_by: string | null;
  bots: number;
  played: number;
  in_all: number | null;
  ended: string;
  leader: string;
}

export interface Standing {
  place: number;
  name: string;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  share: number; // the mean part of the others it came before
  elo: number;
  margin: number; // 95 %
  points: number;
  failures: Record<string, number>;
  mean_ms: number;
  slowest_ms: number;
  more: Record<string, number | string>;
}

export interface RoundTable {
  bots: number[]; // places in the contest's list of bots
  points: number[];
  won: number[];
  matches: number[]; // their numbers
  winner: number | null;
}

export interface ContestRound {
  round: number;
  tables: RoundTable[];
  byes: number[];
}

export interface ContestPage extends Omit<ContestSummary, "bots" | "leader"> {
  bots: string[];
  seats: number;
  clock: string;
  seed: string;
  options: Record<string, unknown>;
  steps: number;
  standings: Standing[];
  crosstable: ([points: number, of: number] | null)[][];
  seat_share: Record<string, number[]>;
  summary: Record<string, number | string>;
  rounds: ContestRound[];
}

export interface ContestMatch {
  number: number;
  round: number;
  players: string[];
  scores: number[];
  places: number[];
  reason: string;
  steps: number;
  failures: { seat: number; step: number; kind: string; what: string; out: boolean }[];
  replay: boolean;
}
