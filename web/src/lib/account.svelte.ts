/** Who sits before this page: one account or guest for all its parts. */

import { me } from "./api";
import type { Player } from "./types";

class Account {
  player = $state.raw<Player | null>(null);
  known = $state(false); // whether the server has said who it is

  /** A person with a name and a password, not a guest. */
  get registered(): boolean {
    return this.player?.kind === "person";
  }

  async refresh(): Promise<void> {
    try {
      this.player = await me();
    } catch {
      // Pages that need somebody will hear why from their own requests.
    }
    this.known = true;
  }
}

export const account = new Account();
