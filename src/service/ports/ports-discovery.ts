import type { Address } from "../../core/types.ts";

/** How much of a chain's market is known. */
export type Coverage = {
  /** Pools that were found, priced or not, and their tokens. */
  readonly pools: number;
  readonly tokens: number;
  readonly phase: "connecting" | "hubs" | "discovering" | "complete";
  /** What is being read now, in words, and how far that is: `done` of `total`, 0 of 0 where that is not known. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** Items that the endpoints of the chain answered since the start, batches counted by their items. */
  readonly requests: number;
  /** Items a second that they take, as learnt from their refusals; undefined where none was refused. */
  readonly perSecond: number | undefined;
};

/** The discovery of a chain's pools while it is served. */
export interface DiscoveryPort {
  coverage(): Coverage;
  /**
   * Brings the pools of two tokens into the market.
   *
   * @param caller on whose behalf; callers take turns, and share the room for pools that are there for being asked for
   * @returns undefined once they are there; what is still being read, in words, where `timeoutMs` passed first
   */
  cover(tokens: readonly [Address, Address], timeoutMs: number, caller: string): Promise<string | undefined>;
}
