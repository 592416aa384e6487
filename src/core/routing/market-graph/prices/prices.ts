/** Token prices at which the pools of a block agree as well as they can; computed in `base-prices.ts`. */
export type BasePrices = {
  /** By node, wei per smallest unit; 0 if no pool prices the token. */
  price: Float64Array;
  /** By token with one neighbour, its price over that of the neighbour. */
  ratio: Float64Array;
  /** Pairs, the even one of both directions, whose pools changed since prices were computed. */
  readonly changed: Set<number>;
  /** Whether all prices have to be computed from scratch. */
  outdated: boolean;
  /** Number of times that prices moved. */
  version: number;
};

export function emptyBasePrices(): BasePrices {
  return {
    price: new Float64Array(16),
    ratio: new Float64Array(16),
    changed: new Set(),
    outdated: true,
    version: 0,
  };
}

/** The market without its arbitrage; computed in `arbitrage-free.ts`. */
export type ArbitrageFree<Market> = {
  /** Undefined if no cycle of pools is profitable: then it is the market itself. */
  market: Market | undefined;
  /** The last one that was computed. The next one takes its arrays, so only the one in `market` may be read. */
  before: Market | undefined;
  /** The edges that gain at base prices, and not by rounding alone. */
  gainers: readonly number[];
  /** The segments of the market's curves that hold the shifted ones: the first, and their number. */
  first: number;
  room: number;
};

/** A token by its node, and its price over that of the group's first token; see `ties.ts`. */
export type Tied = { readonly node: number; readonly ratio: number };

/** By node, its group of tokens with tied prices; a group lists all of its tokens. */
export type Ties = Map<number, Tied[]>;

/** The pools that a small move of prices may make profitable; computed in `near-pairs.ts`. */
export type NearPairs = {
  /** Version of base prices for which this was computed. */
  version: number;
  readonly ofHub: Map<number, number[]>;
  /** Pairs with a pool that earns, or would if its price were better by `MARGIN`. */
  leaning: number[];
  /** By node, the number of its connected component. */
  component: Int32Array;
  /** By pool, 1 if it has more than two tokens or shares state, so that its earnings are no sum over pairs. */
  isMultiple: Uint8Array;
  /** By pair, 1 if one of its pools is multiple. */
  isMixed: Uint8Array;
  /** Groups of tokens with tied prices. */
  readonly ties: Ties;
  /** The tokens with the most neighbours. */
  hubs: readonly number[];
  /** By hub, its place in the list; and by two places, the pair between them, -1 = none. */
  readonly placeOf: Map<number, number>;
  hubPairs: Int32Array;
  /** Number of edges of the graph for which components, `isMixed` and hubs were computed; -1 before the first. */
  joined: number;
};

export function emptyNearPairs(): NearPairs {
  return {
    version: -1,
    ofHub: new Map(),
    leaning: [],
    component: new Int32Array(16),
    isMultiple: new Uint8Array(16),
    isMixed: new Uint8Array(16),
    ties: new Map(),
    hubs: [],
    placeOf: new Map(),
    hubPairs: new Int32Array(0),
    joined: -1,
  };
}

export function emptyArbitrageFree<Market>(): ArbitrageFree<Market> {
  return { market: undefined, before: undefined, gainers: [], first: 0, room: 0 };
}
