import type { Joint } from "../../protocol.ts";
import type { Groups } from "./earning/groups.ts";
import { emptyOuter, type Outer } from "./earning/outer.ts";
import type { Earner } from "./selection.ts";

/** What certificates keep from one order to the next, for one thread; of no influence on what they say. */
export type CertificateMemory = {
  readonly outer: Outer;
  readonly local: LocalPrices;
  /** By pool, its joint node before any trade, and the change of the pool that it was drawn for. */
  readonly joints: Map<number, { readonly change: number; readonly joint: Joint | undefined }>;
  /** The same where no limit of a single swap holds. */
  readonly unlimitedJoints: CertificateMemory["joints"];
  /** Base prices settled at prices of gas, by that price; see `settled.ts`. */
  readonly settled: {
    version: number;
    readonly byGasPrice: Map<number, ReadonlyMap<number, number>>;
    /** Arbitrage in wei that is left at these prices, by the price of gas in wei. */
    readonly arbitrage: Map<number, number>;
  };
  groups: Groups;
  /** The largest share by which the prices under way differ from those of pools of constant price, up to `MOST_DRIFT`. */
  drift: number;
  /** Pools that `groups` was worked out for. */
  grouped: number;
  /** How often a design threw. */
  threw: number;
};

export function emptyCertificateMemory(): CertificateMemory {
  return {
    outer: emptyOuter(),
    local: emptyLocalPrices(),
    joints: new Map(),
    unlimitedJoints: new Map(),
    settled: { version: -1, byGasPrice: new Map(), arbitrage: new Map() },
    groups: new Map(),
    drift: 0,
    grouped: -1,
    threw: 0,
  };
}

/** Prices of all nodes that stand at base prices between two orders; see `local.ts`. */
export type LocalPrices = {
  version: number;
  /** Wei a smallest unit. */
  price: Float64Array;
  /** Nodes whose price was set, and whether it differs from the base price. */
  readonly moved: number[];
  isMoved: Uint8Array;
  /** How far the tokens of many neighbours have moved at most. */
  farthest: number;
  /** Earnings in wei that the order need not know, and how many pairs earn at most as much. */
  negligible: number;
  skipped: number;
  /** Pairs of moved tokens that may earn. */
  readonly leaning: number[];
  /** By pool, the number of the order that asked it last. */
  asked: Uint32Array;
  round: number;
  /** Pools of two tokens that earn at base prices, in wei, the largest first. */
  residual: readonly Residual[];
  /** Pools of more tokens, or of shared state, that may earn at base prices. */
  multiple: Multiple[];
  /** The drift of base prices. */
  drift: number;
};

/** What a pool earns at base prices, by its index. */
export type Residual = Earner & { readonly index: number };

/** A pool of more tokens by its index, and what it earns at base prices; undefined where it shares its state, or that is not known. */
export type Multiple = { readonly index: number; readonly earner: Earner | undefined };

function emptyLocalPrices(): LocalPrices {
  return {
    version: -1,
    price: new Float64Array(16),
    moved: [],
    isMoved: new Uint8Array(16),
    farthest: 0,
    negligible: 0,
    skipped: 0,
    leaning: [],
    asked: new Uint32Array(16),
    round: 0,
    residual: [],
    multiple: [],
    drift: 0,
  };
}
