import type { Registry } from "../core/protocol.ts";
import type { ServedChain, TokenPort } from "./ports/ports.ts";
import type { AccuracyPort } from "./ports/ports-accuracy.ts";
import type { QuotesPort } from "./ports/ports-quotes.ts";

/** The limits of the use cases; `main.ts` sets them from the configuration. */
export type ServiceSettings = {
  /** A head that was last confirmed longer ago than this and than three block times is refused (STALE_STATE). */
  readonly maxStateAgeMs: number;
  /** Cap on the number of pool crossings in a row, 1 … 4. */
  readonly maxHops: number;
  /** Cap on the number of pool crossings in total (legs); 0 = no cap. */
  readonly maxLegs: number;
  /** After this time the search returns the best route so far. */
  readonly searchTimeoutMs: number;
  /** How long a request with `min_block` waits for that block. */
  readonly minBlockWaitMs: number;
  /**
   * A quote without `deadline` is valid for this long after the head's time, or until a maker's order or the permit in
   * it expires.
   */
  readonly deadlineSeconds: number;
};

/** The only place of these defaults; the configuration reads them from here. */
export const defaultServiceSettings: ServiceSettings = {
  maxStateAgeMs: 30_000,
  maxHops: 4,
  maxLegs: 16,
  searchTimeoutMs: 100,
  minBlockWaitMs: 1_000,
  deadlineSeconds: 1_200,
};

/**
 * The stages of a request that are timed: waiting for a block, for pools or for its turn; searching in doubles;
 * settling in integers; encoding; simulating calldata on a node.
 */
export const stages = ["wait", "search", "settle", "encode", "simulate"] as const;
export type Stage = (typeof stages)[number];

/** The dependencies of the use cases; all side effects go through them. */
export type Deps = {
  readonly chains: ReadonlyMap<number, ServedChain>;
  readonly tokens: TokenPort;
  readonly registry: Registry;
  readonly unixSeconds: () => number;
  readonly monotonicMs: () => number;
  /** Yields this thread: resolves after all other work that waits for it had a turn. */
  readonly pause: () => Promise<void>;
  readonly settings: ServiceSettings;
  /** Keeps records of how offers came about; undefined where none are kept. */
  readonly quotes?: QuotesPort | undefined;
  /** Measures how offers turn out; undefined where that is not measured. */
  readonly accuracy?: AccuracyPort | undefined;
  /** Called with the duration of each stage; undefined where stages are not measured. */
  readonly onStage?: ((chainId: number, stage: Stage, ms: number) => void) | undefined;
};
