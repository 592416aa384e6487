import type { Registry } from "../core/protocol.ts";
import type { ServedChain, TokenPort } from "./ports/ports.ts";
import type { AccuracyPort } from "./ports/ports-accuracy.ts";
import type { QuotesPort } from "./ports/ports-quotes.ts";

/** The limits that the use cases keep; `main.ts` fills them from the configuration. */
export type ServiceSettings = {
  /** State of a head that was last confirmed longer ago than this, and than three block times, is refused (STALE_STATE). */
  readonly maxStateAgeMs: number;
  /** Pool crossings in a row, 1 … 4. */
  readonly maxHops: number;
  /** Pool crossings in all; 0 = no cap. */
  readonly maxLegs: number;
  /** After this the search answers with the best so far. */
  readonly searchTimeoutMs: number;
  /** How long a request with `min_block` waits for that block. */
  readonly minBlockWaitMs: number;
  /** A quote without `deadline` is valid for this long after the head's time. */
  readonly deadlineSeconds: number;
};

/** What the operator may set has its default here alone: the configuration reads it. */
export const defaultServiceSettings: ServiceSettings = {
  maxStateAgeMs: 30_000,
  maxHops: 4,
  maxLegs: 16,
  searchTimeoutMs: 100,
  minBlockWaitMs: 1_000,
  deadlineSeconds: 1_200,
};

/**
 * What a request's time goes into: waiting for a block, for pools or for its turn; searching in doubles; settling in integers;
 * encoding; running calldata on a node.
 */
export const stages = ["wait", "search", "settle", "encode", "simulate"] as const;
export type Stage = (typeof stages)[number];

/** What the use cases need; everything impure comes through here. */
export type Deps = {
  readonly chains: ReadonlyMap<number, ServedChain>;
  readonly tokens: TokenPort;
  readonly registry: Registry;
  readonly unixSeconds: () => number;
  readonly monotonicMs: () => number;
  /** Resolves after everyone else who waits for this thread had a turn. */
  readonly pause: () => Promise<void>;
  readonly settings: ServiceSettings;
  /** Where it is kept how offers came about; undefined: nowhere. */
  readonly quotes?: QuotesPort | undefined;
  /** Knows how offers turn out; undefined where that is not measured. */
  readonly accuracy?: AccuracyPort | undefined;
  /** Told how long a stage took; undefined where nobody measures. */
  readonly onStage?: ((chainId: number, stage: Stage, ms: number) => void) | undefined;
};
