import type { PoolAccount } from "../../core/routing/types.ts";
import type { Address, Hex, Side, StateId, View } from "../../core/types.ts";

/** Smallest units as decimal text, as JSON has no integers of such size. */
type Amount = string;

/**
 * How an answer of price or quote came about, in JSON form: null where something is not known. Times are in
 * milliseconds unless stated otherwise. It contains neither the sender nor the recipient, and no signed data.
 */
export type QuoteRecord = {
  readonly kind: "price" | "quote";
  /** Unix seconds. */
  readonly madeAt: number;
  readonly request: RecordedRequest;
  /** Names of request parameters that were given but are not recorded. */
  readonly redacted: readonly string[];
  readonly block: { readonly number: number; readonly hash: Hex; readonly timestamp: number };
  /** The limits of the search. */
  readonly limits: { readonly maxHops: number; readonly maxLegs: number; readonly timeoutMs: number };
  /** Gas price used to value the gas, whether or not the search accounted for gas. */
  readonly gasPriceWei: Amount;
  readonly amounts: RecordedAmounts;
  readonly steps: readonly RecordedStep[];
  readonly searches: readonly RecordedSearch[];
  readonly candidates: readonly RecordedCandidate[];
  readonly prices: readonly { readonly token: Address; readonly price: number }[];
  readonly pools: readonly RecordedPool[];
  readonly refused: readonly Refused[];
  readonly stages: {
    readonly wait: number;
    readonly search: number;
    readonly settle: number;
    readonly encode: number | null;
    readonly simulate: number | null;
  };
  readonly transaction: RecordedTransaction | null;
  readonly simulation: RecordedSimulation | null;
};

export type RecordedRequest = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amount: Amount;
  readonly side: Side;
  readonly slippagePpm: number;
  readonly gasPriceWei: Amount | null;
  readonly feeRecipient: Address | null;
  readonly buyPermille: number;
  readonly sellPermille: number;
  readonly sources: {
    readonly list: "include" | "exclude";
    readonly names: readonly string[];
    readonly rfqOnly: boolean;
  };
  readonly withGas: boolean;
  readonly maxImpactPpm: number | null;
};

export type RecordedAmounts = {
  readonly sold: Amount;
  readonly bought: Amount;
  readonly minimum: Amount;
  readonly buyFee: Amount;
  readonly sellFee: Amount;
  readonly gas: Amount;
};

export type RecordedStep = {
  readonly pool: string;
  readonly protocol: string;
  readonly deployment: string;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly shareQ32: number;
  readonly amountIn: Amount;
  readonly amountOut: Amount;
};

/**
 * One search. A request runs several where it searches again without unvetted tokens or without pools that differed.
 */
export type RecordedSearch = {
  readonly vetted: "none" | "two" | "all";
  /** Number of pools that were excluded from it. */
  readonly avoided: number;
  /** null where nothing was found; `reason` then says why. */
  readonly found: {
    readonly amountIn: Amount;
    readonly amountOut: Amount;
    readonly legs: number;
    readonly gas: number;
  } | null;
  readonly reason: string | null;
  readonly complete: boolean;
  readonly ms: number;
  /** Whether its route is the answer. */
  readonly chosen: boolean;
};

export type RecordedCandidate = {
  readonly legs: number;
  readonly estimate: number | null;
  readonly amountIn: Amount | null;
  readonly amountOut: Amount | null;
  readonly gas: number | null;
  readonly net: Amount | null;
};

export type RecordedPool = PoolAccount;

/** Something that was excluded from this request, and why. */
export type Refused = {
  readonly kind: "pool" | "maker" | "token";
  readonly id: string;
  readonly reason: string;
};

export type RecordedTransaction = {
  readonly to: Address;
  readonly value: Amount;
  /** Unix seconds. */
  readonly deadline: number;
  /** keccak256 of the calldata, and of the calldata before the signature step was prepended. */
  readonly calldataHash: Hex;
  readonly unsignedHash: Hex;
};

export type RecordedSimulation = {
  readonly status: "exact" | "differs" | "reverted";
  readonly amountOut: Amount | null;
  readonly gasUsed: Amount | null;
  readonly method: string;
};

/** SHA-256 of a state in hex. */
export type StateDigest = { readonly id: StateId; readonly digest: string };

/** A record as it was kept. */
export type KeptQuote = {
  readonly id: string;
  /** Id of the API key that made the request; null for the anonymous tier. */
  readonly owner: string | null;
  /** Digests of the states of the route's pools at the time of settlement. */
  readonly states: readonly StateDigest[];
  /** Whether pools, candidates or steps were dropped because the record would have been too large. */
  readonly isCut: boolean;
  readonly record: QuoteRecord;
};

/** Who made the request: `caller` is charged for the record's storage, `owner` may read it. */
export type Asker = { readonly caller: string; readonly owner: string | undefined };

/** Records of offers by their ids. */
export interface QuotesPort {
  /** @returns the id: 128 random bits in hex */
  keep(
    record: QuoteRecord,
    asker: Asker,
    states: { readonly view: View; readonly ids: readonly StateId[] },
  ): string;
  /** @returns undefined where no record with this id is stored, or it has been evicted */
  find(id: string): KeptQuote | undefined;
}
