import type { Address, Call, Deployment, Hex } from "../../core/types.ts";

/** A contract that is deployed at a given address. */
export type PlacedContract = {
  readonly address: Address;
  /** Init code with the constructor's arguments; it runs at `address`, called by the deployer. */
  readonly creationCode: Hex;
  /** Whether its constructor runs in a second step, because it calls other contracts of the plan. */
  readonly isLate?: boolean;
};

/** A contract of contracts/devnet, or other code without a constructor, which is part of the genesis. */
export type Helper = { readonly address: Address; readonly runtimeCode: Hex };

/** Tokens that an account has in the genesis, in smallest units. Several grants of a token are added up. */
export type Grant = { readonly holder: Address; readonly token: Address; readonly amount: bigint };

/** A transaction from the deployer after all contracts are deployed. */
export type SeedTransaction = { readonly to: Address; readonly data: Hex; readonly gas: number };

/** A call whose return data must start with the given bytes after the build. */
export type Check = { readonly what: string; readonly call: Call; readonly startsWith: Hex };

/** A pool in which the trader trades. */
export type Venue = {
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  /** Initial amounts of both tokens, in smallest units. The size of a trade is a share of them. */
  readonly depth: readonly [bigint, bigint];
  /** Initial price, token 1 per token 0 in smallest units, to which the trades revert. */
  readonly price: number;
  /** The contract that transfers the trader's tokens. */
  readonly spender: Address;
  /** Call that reads the price; `priceOf` decodes its return data. */
  readonly read: Call;
  priceOf(answer: Hex): number;
  /** Call that sells an exact amount of token `i` without a minimum output; the output goes to `trader`. */
  trade(i: 0 | 1, amountIn: bigint, trader: Address): Call;
};

/** All contracts, tokens, transactions and checks that a protocol adds to the devnet. */
export type DevnetPlan = {
  readonly contracts: readonly PlacedContract[];
  readonly helpers: readonly Helper[];
  readonly grants: readonly Grant[];
  /** Mined in this order in one block. */
  readonly transactions: readonly SeedTransaction[];
  /** Mined one block later: they write storage slots for the first time, so that pools cost the gas of used ones. */
  readonly ageing: readonly SeedTransaction[];
  readonly checks: readonly Check[];
  readonly venues: readonly Venue[];
};

/** A protocol on the devnet, usually from `protocols/<name>/devnet.ts`. */
export type DevnetProtocol = {
  /** Deployments in the devnet's chain configuration. */
  readonly deployments: readonly Deployment[];
  /** npm packages with its bytecode; empty = it uses models of contracts/devnet. */
  readonly packages: readonly string[];
  /** @throws Error when a package with bytecode is not installed */
  plan(): Promise<DevnetPlan>;
};

/** The plan of a protocol with models only: their code is in the genesis, and transactions initialise them. */
export function planOfModels(
  parts: Pick<DevnetPlan, "helpers" | "grants" | "transactions" | "checks">,
): DevnetPlan {
  return { contracts: [], ageing: [], venues: [], ...parts };
}
