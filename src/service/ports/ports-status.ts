import type { Head } from "../../core/types.ts";

/** The status of a chain's market. */
export type ChainStatus =
  /** Nothing has been read from a node yet, or the first state is being built. */
  // `wasLive` = whether it was live before.
  | { readonly phase: "starting"; readonly reason: string; readonly wasLive?: boolean }
  /**
   * The first state is built; `ageMs` = since the head was last confirmed to be the newest, `headAgeMs` = since it came:
   * nodes that stand still confirm the same head again and again.
   */
  | {
      readonly phase: "live";
      readonly head: Head;
      readonly ageMs: number;
      readonly headAgeMs?: number;
      /** Why no search can run; undefined where one can. */
      readonly searchTrouble?: string | undefined;
    };
