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

/** What every part of the discovery works with. */
export type DiscoveryContext = {
  readonly chain: Chain & { readonly hubs: readonly Address[] };
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly reader: ChainReader;
  readonly lens: Lens;
  /** The same for what somebody waits for: it goes before all that nobody does. */
  readonly askedLens: Lens;
  /** The same one request after the other, where somebody's question may come at any time: a busy node answers it no sooner. */
  readonly patientLens: Lens;
  /** The same in the background: it has a small share of what the endpoints take. */
  readonly quietLens: Lens;
  /** Tokens that many people know, by the shipped lists; their pools are found before those of all others. */
  readonly listed: readonly Address[];
  readonly market: Market;
  readonly indexer: Pick<Indexer, "adopt" | "release">;
  readonly known: Known & {
    /** Has a pool that is known written again. */
    renew(pool: Pool): void;
  };
  readonly awake: Awake;
  readonly recollection: Recollection;
  /** Wei of the native coin; pools that hold less of both tokens sleep until they are asked for. */
  readonly wakeDepth: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Keeps what was found until now, where something is kept. Never rejects. */
  readonly save: () => Promise<void>;
};

/** How far the discovery came; changed in place. */
export type Progress = {
  phase: "connecting" | "hubs" | "discovering" | "complete";
  /** What is being read, in words. */
  step: string;
  /** Of the step: 0 … total. */
  done: number;
  total: number;
};
