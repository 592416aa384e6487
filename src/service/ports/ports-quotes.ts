import type { PoolAccount } from "../../core/routing/types.ts";
import type { Address, Hex, Side, StateId, View } from "../../core/types.ts";

/** Smallest units as decimal text, as JSON has no integers of such size. */
type Amount = string;

/**
 * How an answer of price or quote came about, as JSON takes it: null where something is not known. Times in milliseconds unless
 * named otherwise. Who sends or receives, and what was signed, is not in it.
 */
export type QuoteRecord = {
  readonly kind: "price" | "quote";
  /** Unix seconds. */
  readonly madeAt: number;
  readonly request: RecordedRequest;
  /** Parameters that were given and are not kept. */
  readonly redacted: readonly string[];
  readonly block: { readonly number: number; readonly hash: Hex; readonly timestamp: number };
  /** The limits that the search kept. */
  readonly limits: { readonly maxHops: number; readonly maxLegs: number; readonly timeoutMs: number };
  /** What gas was valued at, whether or not it counted in the search. */
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

/** One search; a request takes more where tokens that are not vetted, or pools that differed, are done without. */
export type RecordedSearch = {
  readonly vetted: "none" | "two" | "all";
  /** Pools that it had to do without. */
  readonly avoided: number;
  /** null where nothing was found, with the reason. */
  readonly found: {
    readonly amountIn: Amount;
    readonly amountOut: Amount;
    readonly legs: number;
    readonly gas: number;
  } | null;
  readonly reason: string | null;
  readonly complete: boolean;
  readonly ms: number;
  /** Its route is the answer. */
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

/** What this request did without, and why. */
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
  /** keccak256 of the calldata, and of what it was before a signature was put in front. */
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
  /** The key that asked; null for the anonymous tier. */
  readonly owner: string | null;
  /** Of the pools of the route, as they were when it was settled. */
  readonly states: readonly StateDigest[];
  /** Pools, candidates or steps were left out, because the record would have been too large. */
  readonly isCut: boolean;
  readonly record: QuoteRecord;
};

/** Who asked: whose share of the room a record takes, and who may read it. */
export type Asker = { readonly caller: string; readonly owner: string | undefined };

/** Records of offers by their ids. */
export interface QuotesPort {
  /** @returns the id: 128 random bits in hex */
  keep(
    record: QuoteRecord,
    asker: Asker,
    states: { readonly view: View; readonly ids: readonly StateId[] },
  ): string;
  /** @returns undefined where none is kept under this id any more */
  find(id: string): KeptQuote | undefined;
}
