/** Bytes as a lower-case hex string with the 0x prefix. */
export type Hex = `0x${string}`;

/** A 20-byte account address in lower case. */
export type Address = Hex;

/**
 * Placeholder address of the native coin throughout the core. A protocol whose contract uses another value converts
 * it within its folder.
 */
export const NATIVE: Address = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/**
 * The block expected to execute the priced swap: head number + 1, head time + block time. Search, settlement,
 * simulation and tests use the same object, so that a time-dependent pool has a single answer.
 */
export type At = {
  readonly blockNumber: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
};

/**
 * Immutable properties as plain data, such as fee, tick spacing or bin step. Amounts are bigint, other values number
 * or string.
 */
export type Facts = Readonly<Record<string, string | number | bigint | boolean>>;

/** One DEX on one chain: a factory of a known design. A fork is one record of this type. */
export type Deployment = {
  /** Unique on its chain, in kebab-case; include and exclude lists accept it as well as `name`. */
  readonly id: string;
  /** The protocol: the name of a folder under `protocols/`. */
  readonly protocol: string;
  /** The name on the wire, in the style `Uniswap_V2`. */
  readonly name: string;
  /** The contract whose creation logs are accepted; for a singleton, the singleton itself. */
  readonly factory: Address;
  /**
   * First block that may have creation logs, 0 if unknown; undefined if there are no such logs, e.g. for a wrapped
   * coin.
   */
  readonly fromBlock: number | undefined;
  /**
   * Whether pools of this factory may pay the recipient directly; if not, the router keeps custody until the final
   * check.
   */
  readonly trusted: boolean;
  /** Parameters of this fork that its protocol needs, such as `feePpm`. */
  readonly facts: Facts;
  /**
   * Hash of the pools' init code, if CREATE2 determines their addresses; `npm run check-chain` predicts addresses
   * with it.
   */
  readonly initCodeHash?: Hex;
  /** The contract that creates the pools, if it is not the factory. */
  readonly poolDeployer?: Address;
  /** Estimated gas of a crossing, in thousandths of the protocol's figure; 1000 by default. */
  readonly gasPermille?: number;
  /** Origin of the record, and whether it was checked against the chain. */
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
    /** Name of 1e-9 of the native coin: GWEI, nAVAX. */
    readonly gasUnit: string;
  };
  readonly wrappedNative: Address;
  readonly multicall: Address;
  readonly blockTimeMs: number;
  /** Base URL of the chain's usual block explorer, without a trailing slash. */
  readonly explorer?: string;
  /**
   * Hash of block 0. An endpoint with another genesis hash is of another chain, whatever its chain id. If absent, the
   * first endpoint's hash is accepted.
   */
  readonly genesis?: Hex;
  /** Tokens worth one US dollar each; without any, no value in dollars is given. */
  readonly dollarTokens?: readonly Address[];
  /**
   * Tokens whose pools are read first, in falling order of trading volume; other pools are discovered while the chain
   * is served. If absent, all factory logs are read from their first block before the first price, which suits a
   * young chain.
   */
  readonly hubs?: readonly Address[];
  readonly deployments: readonly Deployment[];
  /**
   * Additional vetted tokens, for chains that the shipped token lists do not cover, such as the devnet; see
   * `vetted.ts`.
   */
  readonly vettedTokens?: readonly Address[];
};

/** A token's metadata from token lists and contracts. */
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

/** A pool's immutable description; everything that changes is in its states. */
export type Pool = {
  /** Unique on its chain: the contract's address, or the pool's key inside a singleton. */
  readonly id: PoolId;
  /** The contract that is called to swap. */
  readonly address: Address;
  /** The protocol's name in the registry. */
  readonly protocol: string;
  /** Id of the deployment under which the pool was discovered. */
  readonly deployment: string;
  /** Two or more, in the contract's order; `i` and `j` everywhere index this list. */
  readonly tokens: readonly Address[];
  /**
   * Ids of the states that `quote` reads and writes. The first is the pool's own; others may be shared (a vault, a
   * base pool, an inventory). Each id must be the first of some pool, whose reads and logs keep that state up to
   * date.
   */
  readonly stateIds: readonly [StateId, ...StateId[]];
  readonly facts: Facts;
};

/** States by id, after one block, or after the earlier hops of a route on top of it. */
export type View = { get(id: StateId): unknown };

/** Which amount of a quote is fixed: the amount sold (`in`) or the amount bought (`out`). */
export type Side = "in" | "out";

/** Exact amounts that a pool takes and pays if executed in `at`. */
export type Fill = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Gas units of this crossing through the router. */
  readonly gas: number;
  /**
   * States after the swap; quotes of further crossings read them. They may be computed lazily by a getter, so a copy
   * of a fill must read this property explicitly.
   */
  readonly writes: readonly (readonly [StateId, unknown])[];
};

/** Why a pool is not priced at all; refusals are counted by reason. */
export type Refusal = { readonly refusal: string };

/** A log as protocols receive it. `topics[0]` is always present. */
export type Log = {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
};

/** A call that the edge makes for a protocol. The answer of a reverted call is "0x". */
export type Call = {
  readonly to: Address;
  readonly data: Hex;
  /**
   * Whether the creator of a pool chose the contract. Where it is called together with others in one transaction, it can
   * change what the calls after it answer: it is called together with nothing but itself.
   */
  readonly isUntrusted?: true;
  /**
   * Whether the function writes to storage, even if it undoes that before it answers. It fails in a static call, so the
   * lens does not make it.
   */
  readonly mayWrite?: true;
};

/** `shareQ32` of the last step that sells a token: it sells the whole balance left. */
export const ALL_Q32 = 2 ** 32;

/** One pool crossing of a route. Steps are in execution order and work on token registers. */
export type Step = {
  readonly pool: Pool;
  readonly i: number;
  readonly j: number;
  /** Share of the register's balance that is sold, in units of 2^-32, rounded down; 1 … 2^32 (= all). */
  readonly shareQ32: number;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Units of gas, scaled by the deployment's `gasPermille`. */
  readonly gas: number;
};

/**
 * A route. Calldata, JSON, pictures and summaries are all derived from it. Each token has a register: `tokenIn`
 * starts at `amountIn`, all others at zero, and each step takes from one register and adds to another.
 */
export type Route = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly steps: readonly Step[];
};

/** Head of a chain as seen by the follower. */
export type Head = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
};
