import type { Address } from "../../core/types.ts";

/** How much of a chain's market is known. */
export type Coverage = {
  /** Number of pools found, priced or not, and of their tokens. */
  readonly pools: number;
  readonly tokens: number;
  readonly phase: "connecting" | "hubs" | "discovering" | "complete";
  /** The current step in words, and its progress: `done` of `total`, 0 of 0 where that is not known. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** Requests that the chain's endpoints have answered since the start; each item of a batch counts as one. */
  readonly requests: number;
  /** Requests a second that they accept, inferred from their rate-limit refusals; undefined where none was refused. */
  readonly perSecond: number | undefined;
};

/** Discovers a chain's pools in the background while the chain is being served. */
export interface DiscoveryPort {
  coverage(): Coverage;
  /**
   * Brings the pools of two tokens into the market.
   *
   * @param caller on whose behalf; callers take turns and share the capacity for pools that were added on request
   * @returns undefined once the pools are in the market; what is still being read, in words, if `timeoutMs` passes
   *   first
   */
  cover(tokens: readonly [Address, Address], timeoutMs: number, caller: string): Promise<string | undefined>;
}
