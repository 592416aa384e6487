import type { Address, Call, Deployment, Hex } from "../../core/types.ts";

/** A real contract that is to stand at a given address. */
export type PlacedContract = {
  readonly address: Address;
  /** Init code with the constructor's arguments; it runs at `address`, called by the deployer. */
  readonly creationCode: Hex;
  /** Its constructor calls contracts that are placed too, and so runs when they stand. */
  readonly isLate?: boolean;
};

/** A contract of our own, without a constructor: part of the genesis. */
export type Helper = { readonly address: Address; readonly runtimeCode: Hex };

/** Tokens that an account holds from the genesis on, in smallest units. Several grants of one token add up. */
export type Grant = { readonly holder: Address; readonly token: Address; readonly amount: bigint };

/** A transaction that the deployer sends once every contract stands. */
export type SeedTransaction = { readonly to: Address; readonly data: Hex; readonly gas: number };

/** A read whose answer must start with the given bytes once the market is built. */
export type Check = { readonly what: string; readonly call: Call; readonly startsWith: Hex };

/** A pool that the trader may move. */
export type Venue = {
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  /** Real amounts of both tokens at the start; they bound the size of a trade. */
  readonly depth: readonly [bigint, bigint];
  /** Token 1 per token 0 in smallest units at the start: the price returns to it. */
  readonly price: number;
  /** The contract that takes the trader's tokens. */
  readonly spender: Address;
  /** Reads the price; `priceOf` understands the answer. */
  readonly read: Call;
  priceOf(answer: Hex): number;
  /** The trade of an exact amount of token `i`, without a limit; the proceeds go to `trader`. */
  trade(i: 0 | 1, amountIn: bigint, trader: Address): Call;
};

/** All that one design brings to the devnet, as data. */
export type DevnetPlan = {
  readonly contracts: readonly PlacedContract[];
  readonly helpers: readonly Helper[];
  readonly grants: readonly Grant[];
  /** In order. They share one block. */
  readonly transactions: readonly SeedTransaction[];
  /** In the block after: what makes fresh pools cost the gas of used ones, without moving a reserve. */
  readonly ageing: readonly SeedTransaction[];
  readonly checks: readonly Check[];
  readonly venues: readonly Venue[];
};

/** One design on the devnet: `protocols/<name>/devnet.ts`. */
export type DevnetProtocol = {
  /** What the devnet's chain configuration lists. */
  readonly deployments: readonly Deployment[];
  /** The npm packages whose bytecode it runs; none = models of our own. */
  readonly packages: readonly string[];
  /** @throws Error when a package that brings bytecode is not installed */
  plan(): Promise<DevnetPlan>;
};

/** The plan of a design that brings models alone: their code is in the genesis, and a transaction opens each. */
export function planOfModels(
  parts: Pick<DevnetPlan, "helpers" | "grants" | "transactions" | "checks">,
): DevnetPlan {
  return { contracts: [], ageing: [], venues: [], ...parts };
}
