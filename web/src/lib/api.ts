/**
 * The server's HTTP interface. Every failure becomes a `Problem` whose message is one sentence a person can read.
 */

import type { GameInfo, Looks, MatchInfo, Page, Player } from "./types";

export const PREFIX = "/api/v1";

/** What the server refused, in its own words (application/problem+json), or that it could not be reached. */
export class Problem extends Error {
  readonly status: number; // 0: the server could not be reached
  readonly key: string;
  readonly title: string;

  constructor(status: number, sentence: string, title = "", key = "") {
    super(sentence);
    this.name = "Problem";
    this.status = status;
    this.title = title;
    this.key = key;
  }
}

export function sentenceOf(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return "Something went wrong on this page. Load it again, please.";
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request to the interface; `path` begins after /api/v1 unless it begins with /api/. */
export async function call<T>(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin", headers: { Accept: "application/json", ...headers } };
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, "Content-Type": "application/json" };
  }
  const response = await reach(path, init);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** The same for answers that are text: rules, symbol sheets, replays. */
export async function callText(path: string): Promise<string> {
  return (await reach(path, { credentials: "same-origin" })).text();
}

export function addressOf(path: string): string {
  return path.startsWith("/api/") || path === "/openapi.json" ? path : PREFIX + path;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(addressOf(path), init);
  } catch {
    throw new Problem(0, "The server cannot be reached. Check the connection and try again.");
  }
  if (!response.ok) throw await problemIn(response);
  return response;
}

async function problemIn(response: Response): Promise<Problem> {
  try {
    const told = (await response.json()) as { detail?: unknown; title?: unknown; key?: unknown };
    const text = (value: unknown): string => (typeof value === "string" ? value : "");
    return new Problem(response.status, text(told.detail) || text(told.title) || plainly(response.status), text(told.title), text(told.key));
  } catch {
    return new Problem(response.status, plainly(response.status));
  }
}

function plainly(status: number): string {
  if (status === 404) return "There is nothing at this address.";
  if (status === 429) return "That was too often. Wait a moment and try again.";
  if (status >= 500) return "The server has a problem. Try again in a moment.";
  return `The server refused this (${status}).`;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<T> => call<T>("POST", path, body, headers);
export const patch = <T>(path: string, body: unknown): Promise<T> => call<T>("PATCH", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);

/** A query string from what is set; empty values are left out. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") parts.set(name, String(value));
  }
  const text = parts.toString();
  return text ? `?${text}` : "";
}

// ------------------------------------------------------------------ what several pages ask for, once

const kept = new Map<string, Promise<unknown>>();

/** Asks once and remembers the answer while the page lives; a failure is forgotten. */
export function once<T>(path: string, ask: (path: string) => Promise<T> = get): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = ask(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return answer;
}

export const games = async (): Promise<GameInfo[]> => (await once<Page<GameInfo>>("/games")).items;
export const gameNamed = async (name: string): Promise<GameInfo> => {
  const found = (await games()).find((game) => game.name === name);
  if (!found) throw new Problem(404, `There is no game called ${name}.`);
  return found;
};
export const looksOf = (game: string): Promise<Looks> => once<Looks>(`/games/${encodeURIComponent(game)}/looks`);
export const symbolsOf = (game: string): Promise<string> => once(`/games/${encodeURIComponent(game)}/symbols.svg`, callText);
export const matchInfo = (id: string): Promise<MatchInfo> => get(`/matches/${encodeURIComponent(id)}`);
export const me = async (): Promise<Player | null> => (await get<{ player: Player | null }>("/me")).player;
