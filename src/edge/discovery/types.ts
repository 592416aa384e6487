import type { Logger } from "pino";
import type { Registry } from "../../core/protocol.ts";
import type { Address, Chain, Pool } from "../../core/types.ts";
import type { Dispatch } from "../indexer/dispatch.ts";
import type { Indexer } from "../indexer/indexer.ts";
import type { Lens } from "../lens/lens.ts";
import type { Market } from "../market/market.ts";
import type { ChainReader } from "../node/types.ts";
import type { Known } from "./known/known.ts";
import type { Recollection } from "./restart/recollection.ts";
import type { Awake } from "./waking/awake.ts";

/** Dependencies that all parts of the discovery share. */
export type DiscoveryContext = {
  readonly chain: Chain & { readonly hubs: readonly Address[] };
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly reader: ChainReader;
  readonly lens: Lens;
  /** A lens for reads that a caller waits for: its requests go before those that nobody waits for. */
  readonly askedLens: Lens;
  /** A lens that sends one request after the other, so that the node is not busy when a caller's request comes. */
  readonly patientLens: Lens;
  /** A lens for background reads: it gets a small share of the endpoints' rate limits. */
  readonly quietLens: Lens;
  /** Well-known tokens, by the shipped lists; their pools are found before those of other tokens. */
  readonly listed: readonly Address[];
  readonly market: Market;
  readonly indexer: Pick<Indexer, "adopt" | "release">;
  readonly known: Known & {
    /** Marks a known pool to be written to the checkpoint again. */
    renew(pool: Pool): void;
  };
  readonly awake: Awake;
  readonly recollection: Recollection;
  /**
   * Least depth of a pool, in wei of the native coin. Shallower pools stay out of the market until a caller asks for
   * them.
   */
  readonly wakeDepth: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Writes what was found so far to the checkpoint, where there is one. Never rejects. */
  readonly save: () => Promise<void>;
};

/** Progress of the discovery; changed in place. */
export type Progress = {
  phase: "connecting" | "hubs" | "discovering" | "complete";
  /** Description of what is being read. */
  step: string;
  /** Items of the step that are done, 0 … `total`. */
  done: number;
  total: number;
};
