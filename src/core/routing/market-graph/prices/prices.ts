/** Token prices at which the pools of a block agree as well as they can; worked out in `base-prices.ts`. */
export type BasePrices = {
  /** Wei a smallest unit; 0 where nothing prices the token. */
  price: Float64Array;
  /** Of a token of one neighbour: its price by that of the neighbour. */
  ratio: Float64Array;
  /** Nodes whose pools changed since. */
  readonly changed: Set<number>;
  /** Set where all prices have to begin anew. */
  outdated: boolean;
  /** Counts how often prices moved. */
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

/** The market without its arbitrage; worked out in `arbitrage-free.ts`. */
export type ArbitrageFree<Market> = {
  /** Undefined where no cycle of pools pays: then it is the market itself. */
  market: Market | undefined;
  /** The edges that gain at base prices. */
  gainers: readonly number[];
  /** Segments of the market's curves that hold its own: the first, and how many. */
  first: number;
  room: number;
};

/** A token by its node, and its price by that of the group's first token; see `ties.ts`. */
export type Tied = { readonly node: number; readonly ratio: number };

/** By node, the group of tokens of one price that it is in; a group lists all of them. */
export type Ties = Map<number, readonly Tied[]>;

/** Which pools a small move of prices concerns; worked out in `near-pairs.ts`. */
export type NearPairs = {
  /** The block's version of base prices that this was worked out for. */
  version: number;
  readonly ofHub: Map<number, number[]>;
  /** Pairs with a pool that earns, or would if its price were better by `MARGIN`. */
  leaning: number[];
  /** By node, a number that is the same for all tokens that pools join. */
  component: Int32Array;
  /** By pair, 1 where one of its pools has more than two tokens or shares state: what it earns is no sum over pairs. */
  isMixed: Uint8Array;
  /** Tokens whose price is one price. */
  readonly ties: Ties;
  /** The tokens of most neighbours. */
  hubs: readonly number[];
  /** By hub its place in the list, and by two places the pair between them; -1 = none. */
  readonly placeOf: Map<number, number>;
  hubPairs: Int32Array;
  /** Pairs and edges that these were worked out for. */
  joined: number;
};

export function emptyNearPairs(): NearPairs {
  return {
    version: -1,
    ofHub: new Map(),
    leaning: [],
    component: new Int32Array(16),
    isMixed: new Uint8Array(16),
    ties: new Map(),
    hubs: [],
    placeOf: new Map(),
    hubPairs: new Int32Array(0),
    joined: -1,
  };
}

export function emptyArbitrageFree<Market>(): ArbitrageFree<Market> {
  return { market: undefined, gainers: [], first: 0, room: 0 };
}
