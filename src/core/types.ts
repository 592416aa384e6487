/** Bytes as a lower-case hex string with the 0x prefix. */
export type Hex = `0x${string}`;

/** A 20-byte account address in lower case. */
export type Address = Hex;

/** The native coin everywhere in the core; a protocol whose contract spells it otherwise translates inside its folder. */
export const NATIVE: Address = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/**
 * The block expected to execute what is priced: head number + 1, head time + block time.
 * One object serves search, settle, simulation and tests, so that a time-dependent pool has one answer.
 */
export type At = {
  readonly blockNumber: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
};

/** Immutable facts as plain data: fee, tick spacing, bin step … Amounts are bigint, everything else number or string. */
export type Facts = Readonly<Record<string, string | number | bigint | boolean>>;

/** One DEX on one chain: a factory of a known design. A fork is one record of this type. */
export type Deployment = {
  /** Unique on its chain, kebab-case; what include and exclude lists accept beside `name`. */
  readonly id: string;
  /** The design: the name of a folder under `protocols/`. */
  readonly protocol: string;
  /** The name on the wire, in the style `Uniswap_V2`. */
  readonly name: string;
  /** The contract whose creation logs are believed; for a singleton, the singleton itself. */
  readonly factory: Address;
  /** No creation log is older than this block, 0 where it is not known; undefined where there are none, as of a wrapped coin. */
  readonly fromBlock: number | undefined;
  /** Pools of this factory may pay the recipient directly; without it the router keeps custody until the final check. */
  readonly trusted: boolean;
  /** What the design needs to know of this fork, such as `feePpm`. */
  readonly facts: Facts;
  /** Hash of its pools' init code, where CREATE2 makes their addresses: what `npm run check-chain` predicts a pool by. */
  readonly initCodeHash?: Hex;
  /** What makes the pools, where the factory has another contract do so; the factory unless given. */
  readonly poolDeployer?: Address;
  /** Gas of a crossing, in thousandths of the design's figure, in estimates; 1000 unless given. */
  readonly gasPermille?: number;
  /** Where the record comes from, and whether it was checked against the chain. */
  readonly source: string;
};

/** One chain: data only. */
export type Chain = {
  readonly id: number;
  readonly name: string;
  readonly shortname: string;
  readonly native: {
    readonly symbol: string;
    readonly name: string;
    readonly decimals: number;
    /** 1e-9 of the native coin as people call it: GWEI, nAVAX. */
    readonly gasUnit: string;
  };
  readonly wrappedNative: Address;
  readonly multicall: Address;
  readonly blockTimeMs: number;
  /** Base address of the block explorer that people of this chain use, without a slash at the end. */
  readonly explorer?: string;
  /** Hash of block 0. An endpoint that names another is of another chain, whatever its id; without it the first one is believed. */
  readonly genesis?: Hex;
  /** Tokens that stand for one US dollar each; without any, nothing is valued in dollars. */
  readonly dollarTokens?: readonly Address[];
  /**
   * Tokens whose pools are read first, the most traded first; every other pool is discovered while the chain is served.
   * Absent: the factories' logs are read from their first block on before the first price, as suits a young chain.
   */
  readonly hubs?: readonly Address[];
  readonly deployments: readonly Deployment[];
  /** Vetted tokens of a chain that the shipped token lists do not speak of, such as the devnet; see `vetted.ts`. */
  readonly vettedTokens?: readonly Address[];
};

/** A token as lists and contracts describe it. */
export type Token = {
  readonly chainId: number;
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoUri: string;
};

export type PoolId = string;
export type StateId = string;

/** One pool as it was discovered; what changes lives in its states. */
export type Pool = {
  /** Unique on its chain: the contract's address, or the key inside a singleton. */
  readonly id: PoolId;
  /** The contract that is called to swap. */
  readonly address: Address;
  /** The design: a name of the protocol registry. */
  readonly protocol: string;
  /** Id of the deployment that it was discovered under. */
  readonly deployment: string;
  /** Two or more, in the contract's order; `i` and `j` everywhere index this list. */
  readonly tokens: readonly Address[];
  /**
   * What `quote` reads and writes. The first is the pool's own; others may be shared (a vault, a base pool, an inventory).
   * Every id must be the first of some pool: that pool's reads and logs are what keeps the state.
   */
  readonly stateIds: readonly [StateId, ...StateId[]];
  readonly facts: Facts;
};

/** States by id, as one block left them or as an overlay of earlier hops sees them. */
export type View = { get(id: StateId): unknown };

/** Which amount of a quote is given: the sold (`in`) or the bought (`out`). */
export type Side = "in" | "out";

/** An exact answer of a pool: what execution in `at` takes and pays. */
export type Fill = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Gas units of this crossing through the router. */
  readonly gas: number;
  /**
   * States after the swap; an overlay of them makes a second crossing right. They may be worked out when they are asked
   * for, so that a copy of a fill has to name them.
   */
  readonly writes: readonly (readonly [StateId, unknown])[];
};

/** Why a pool may never be priced; counted by reason, never silent. */
export type Refusal = { readonly refusal: string };

/** A log as protocols read it. `topics[0]` is always present. */
export type Log = {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
};

/** A read that the edge makes for a protocol. A call that reverts is answered with "0x". */
export type Call = { readonly to: Address; readonly data: Hex };

/** `shareQ32` of the last consumer of a token: it takes all that is left. */
export const ALL_Q32 = 2 ** 32;

/** One pool crossing of a route, in execution order over token registers. */
export type Step = {
  readonly pool: Pool;
  readonly i: number;
  readonly j: number;
  /** Share of what is left of the token sold, in 2^-32, rounded down; 1 … 2^32 (= all). */
  readonly shareQ32: number;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly gas: number;
};

/**
 * The one description of how an amount is exchanged. Calldata, JSON, picture and summaries are derived from it.
 * Token registers start as `amountIn` of `tokenIn` and zero of all others; each step takes from one and adds to another.
 */
export type Route = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly steps: readonly Step[];
};

/** The head of a chain as the follower saw it. */
export type Head = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
};
