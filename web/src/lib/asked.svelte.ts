/** Something asked of the server: the answer, or why there is none, as a page shows it. */

import { sentenceOf } from "./api";

export class Asked<T> {
  value = $state.raw<T | null>(null);
  problem = $state("");
  busy = $state(false);
  private asked = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  /** Ask (again). An answer that was overtaken by a later question is dropped. */
  again = async (): Promise<void> => {
    const number = ++this.asked;
    this.busy = true;
    try {
      const value = await this.ask();
      if (number !== this.asked) return;
      this.value = value;
      this.problem = "";
    } catch (error) {
      if (number !== this.asked) return;
      this.problem = sentenceOf(error);
    }
    this.busy = false;
  };
}

/** Something a person does: busy while it lasts, and the sentence if it was refused. */
export class Deed {
  busy = $state(false);
  problem = $state("");

  /** True if it was done. A second click while it lasts does nothing. */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = "";
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = sentenceOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
