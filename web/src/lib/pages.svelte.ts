/** A list that comes in pages: the first, and more when somebody wants more. */

import { get, query, sentenceOf } from "./api";
import type { Page } from "./types";

export class Paged<T> {
  items = $state.raw<T[] | null>(null);
  next = $state.raw<string | null>(null);
  problem = $state("");
  busy = $state(false);
  private asked = 0;

  constructor(
    private readonly path: string,
    private readonly values: () => Record<string, string | number | null> = () => ({}),
  ) {}

  again = async (): Promise<void> => {
    this.items = null;
    await this.load(null);
  };

  more = async (): Promise<void> => {
    if (this.next !== null && !this.busy) await this.load(this.next);
  };

  private async load(cursor: string | null): Promise<void> {
    const number = ++this.asked;
    this.busy = true;
    try {
      const page = await get<Page<T>>(this.path + query({ ...this.values(), cursor, after: cursor === null ? null : this.counted() }));
      if (number !== this.asked) return;
      this.items = cursor === null ? page.items : [...(this.items ?? []), ...page.items];
      this.next = page.next;
      this.problem = "";
    } catch (error) {
      if (number !== this.asked) return;
      this.problem = sentenceOf(error);
    }
    this.busy = false;
  }

  /** Leaderboards count places on from page to page; other lists ignore it. */
  private counted(): number {
    return this.items?.length ?? 0;
  }
}
