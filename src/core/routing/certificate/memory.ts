import type { Joint } from "../../protocol.ts";
import type { Groups } from "./earning/groups.ts";
import { type Cached, emptyOuter, type Outer } from "./earning/outer.ts";
import type { Earner } from "./selection.ts";

/** What certificates cache from one order to the next, within one thread. It does not change their results. */
export type CertificateMemory = {
  readonly outer: Outer;
  readonly local: LocalPrices;
  /** By pool, its joint node before any trade, with and without the limits that a contract sets for a single swap. */
  readonly joints: Cached<Joint | undefined>;
  readonly unlimitedJoints: Cached<Joint | undefined>;
  /** Base prices optimised for a price of gas, for one version of base prices; see `settled.ts`. */
  readonly settled: {
    version: number;
    /** Keyed by the step of the logarithmic grid of gas prices. */
    readonly byGasPrice: Map<number, ReadonlyMap<number, number>>;
    /** Arbitrage in wei that remains at these prices after gas, by the price of gas in wei. */
    readonly arbitrage: Map<number, number>;
  };
  groups: Groups;
  /**
   * The largest share by which a pool of constant price gains at the prices of the certificate in progress, among the
   * shares of at most `MOST_DRIFT`, which bounds count as drift and not as earnings.
   */
  drift: number;
  /** Number of pools for which `groups` was computed. */
  grouped: number;
  /** Number of times that a design threw. */
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

/** Prices of all nodes. They differ from base prices only while an order is certified; see `local/local.ts`. */
export type LocalPrices = {
  version: number;
  /** By node, in wei of the native coin per smallest unit. */
  price: Float64Array;
  /** Nodes whose price was set, in that order, and by node whether the price differs from the base price. */
  readonly moved: number[];
  isMoved: Uint8Array;
  /** The largest move among tokens of many neighbours: absolute logarithm of the price over the base price. */
  farthest: number;
  /** Earnings in wei that need not be known exactly, and the number of pairs and edges left out that earn no more. */
  negligible: number;
  skipped: number;
  /** Pairs of moved tokens whose pools may earn at the moved prices. */
  readonly leaning: number[];
  /** By pool, the number of the certificate (`round`) that evaluated it last. */
  evaluated: Uint32Array;
  round: number;
  /** Pools of two tokens that earn at base prices, in wei, in descending order of earnings. */
  residual: readonly Residual[];
  /** Pools of three tokens or more that earn at base prices, and those of shared state that may. */
  multiple: Multiple[];
  /** `CertificateMemory.drift` at base prices. */
  drift: number;
};

/** A pool of two tokens by its index, and what it earns at base prices. */
export type Residual = Earner & { readonly index: number };

/**
 * A pool of three tokens or more, or of shared state, by its index, and what it earns at base prices: undefined where
 * it shares state or its earning is not known.
 */
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
    evaluated: new Uint32Array(16),
    round: 0,
    residual: [],
    multiple: [],
    drift: 0,
  };
}
