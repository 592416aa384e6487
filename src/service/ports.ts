import type { Allowance } from "../core/allowance.ts";
import type { SignedOrder } from "../core/rfq.ts";
import type { RouteRequest, RouteResult } from "../core/routing/types.ts";
import type { Address, At, Call, Chain, Head, Hex, Log, Pool, PoolId, Token, View } from "../core/types.ts";

/** What the services ask of the edge. The edge implements; `main.ts` joins. */

export type ChainStatus =
  /** Nothing has been read from a node yet, or the first state is being built. */
  | {
      readonly phase: "starting";
      readonly reason: string /** It was live before. */;
      readonly wasLive?: boolean;
    }
  /** The first state is built; `ageMs` = since the head was last confirmed to be the newest. */
  | { readonly phase: "live"; readonly head: Head; readonly ageMs: number };

/** A route that is searched for; the block and the clock are the market's. */
export type FindRequest = Omit<RouteRequest, "allows" | "at" | "now"> & { readonly allowed: Allowance };

/** Searches of one block: nothing is committed to the state that they read before the last of them has ended. */
export type SearchSession = {
  readonly head: Head;
  readonly at: At;
  /** Pool states of that block. */
  readonly view: View;
  /** Rejects with OVERLOADED where the search had to be stopped. */
  find(request: FindRequest): Promise<RouteResult>;
};

/** The market of one chain, in memory: pricing never waits for a node. */
export interface MarketPort {
  status(): ChainStatus;
  /** The block expected to execute. Only when live. */
  at(): At;
  /** Pool states of the newest committed block. */
  view(): View;
  /**
   * Runs searches that belong together, all at the newest block that can be searched. The work awaits nothing but its own searches.
   * It may be begun twice: first on answers that are known, then anew where it asks for one that is not.
   *
   * @param caller on whose behalf; callers take turns where searches have to wait
   * @throws BraidError OVERLOADED where its turn would not come in time
   */
  session<T>(caller: string, work: (session: SearchSession) => Promise<T>): Promise<T>;
  /** Sessions that can search at the same time. */
  readonly parallel: number;
  /** True once the committed head is at or past `blockNumber`; false when `timeoutMs` passed first. */
  waitFor(blockNumber: number, timeoutMs: number): Promise<boolean>;
  /** Tokens with at least one pool that is not empty; the depth floor decides `is_active`. */
  isTraded(token: Address): boolean;
  /** Wei of the native coin that one smallest unit of `token` is worth, by the graph's own prices. */
  nativePer(token: Address): number | undefined;
  /** Native value, in wei, that the shallowest pool holds of those by which `nativePer` prices the token; 0 where unknown. */
  priceDepth(token: Address): number;
  /** Pools that are quarantined, for operators; walks every pool. */
  quarantined(): readonly QuarantinedPool[];
  /** For health and metrics. */
  counts(): Readonly<{
    pools: number;
    /** Pools in memory by their design. */
    byProtocol: Readonly<Record<string, number>>;
    tokens: number;
    refused: Readonly<Record<string, number>>;
    quarantined: number;
  }>;
}

/** A pool that is not priced because the chain or its own design contradicts it. */
export type QuarantinedPool = {
  readonly id: PoolId;
  readonly protocol: string;
  /** For operators; holds nothing that a caller or a contract wrote. */
  readonly reason: string;
  /** The block at which it is read afresh; undefined = as soon as it can be read. */
  readonly untilBlock: number | undefined;
};

/**
 * What became of a report: the pool does what its design says; it does not, and is quarantined; nothing could be shown;
 * a token of it is not vetted, so nothing is tried; too many pools were waiting.
 */
export type PoolCheckOutcome = "sound" | "wrong" | "inconclusive" | "unvetted" | "dropped";

/** Checks of pools on grounds that no request controls. */
export interface PoolCheckPort {
  /**
   * Says that a caller's own simulation disagreed with what these pools quote. By itself that changes nothing: the check
   * runs in the background, and only its own proof quarantines a pool.
   */
  report(pools: readonly PoolId[]): void;
  /** Checks since the start, by outcome. */
  counts(): Readonly<Record<PoolCheckOutcome, number>>;
}

export type Transaction = {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
};

export type SimulationResult = {
  readonly ok: boolean;
  readonly gasUsed: bigint;
  /** Return data, or revert data where not ok. */
  readonly data: Hex;
  /** The block whose state it ran on, where the node says so; without it nothing is concluded from a difference. */
  readonly blockHash?: Hex | undefined;
  readonly method?: Exclude<ProofMethod, "eth_call with overrides"> | undefined;
};

/** Reads from a node. Every method rejects with STALE_STATE when no endpoint answers within its deadline. */
export interface NodePort {
  call(to: Address, data: Hex): Promise<Hex>;
  getBalance(account: Address): Promise<bigint>;
  /**
   * Runs a transaction without sending it, in the block after `on`; on the newest state where the node does not know
   * `on` or none is given. The result says which.
   */
  simulate(transaction: Transaction, on?: Head): Promise<SimulationResult>;
}

/** A transaction as it was sent, with its receipt once it is mined. */
export type SentTransaction = Transaction & {
  readonly gasLimit: bigint;
  /** undefined while it is pending. */
  readonly receipt: Receipt | undefined;
};

export type Receipt = {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly gasUsed: bigint;
  /** Wei per gas that was paid. */
  readonly gasPriceWei: bigint;
  /** In chain order. */
  readonly logs: readonly Log[];
};

/** What a token's contract says of itself. */
export type TokenMetadata = Pick<Token, "address" | "name" | "symbol" | "decimals">;

/** Many reads of one block, and reads of blocks gone by. Every method rejects with STALE_STATE as those of NodePort do. */
export interface ArchivePort {
  /** Answers of calls on the state of a block, in order; "0x" where a call reverts. */
  read(calls: readonly Call[], on: Head): Promise<Hex[]>;
  /** @returns undefined where the contract does not answer as a token does */
  tokenMetadata(token: Address, on: Head): Promise<TokenMetadata | undefined>;
  /** @returns undefined where no node knows it */
  transaction(hash: Hex): Promise<SentTransaction | undefined>;
  /** Wei held, and transactions sent, at the end of a block; undefined where no node kept that state. */
  account(address: Address, blockNumber: number): Promise<{ balance: bigint; nonce: number } | undefined>;
  /** Runs a call on the state at the end of a block, at its time; undefined where no node kept that state. */
  run(
    transaction: Transaction,
    blockNumber: number,
  ): Promise<Pick<SimulationResult, "ok" | "data"> | undefined>;
}

/** How a calldata was run: with calls before it, as one call whose sender is given what it lacks, or as it is. */
export type ProofMethod = "eth_simulateV1" | "eth_call with overrides" | "eth_call";

export type ProofRequest = {
  readonly swap: { readonly to: Address; readonly data: Hex; readonly value: bigint };
  readonly from: Address;
  /** Token and amount that the sender must have, and let the swap's contract take. */
  readonly token: Address;
  readonly amountIn: bigint;
  /** A signature in the calldata takes the place of the approval. */
  readonly isSigned: boolean;
  /** The sender is a wallet of somebody's: where nothing can be overridden it may still pay. */
  readonly isAble: boolean;
  readonly head: Head;
};

export type ProofRun = {
  readonly method: ProofMethod;
  readonly ok: boolean;
  /** Return data, or revert data where not ok. */
  readonly data: Hex;
  /** undefined where the method does not tell. */
  readonly gasUsed: bigint | undefined;
};

/** An amount of a token that its holder could send on. */
export type TransferProbe = {
  readonly token: Address;
  readonly holder: Address;
  readonly amount: bigint;
  readonly head: Head;
};

/** Runs calldata in the block after a head for whoever could pay. */
export interface ProofPort {
  /** Whether an account has code of its own at the head; undefined where no node says. */
  isContract(account: Address, head: Head): Promise<boolean | undefined>;
  /** What a token keeps of a transfer, in basis points rounded down; undefined where no node can show it. */
  transferFeeBps(probe: TransferProbe): Promise<number | undefined>;
  /** @returns undefined where no way is left. Rejects with STALE_STATE when no endpoint answers. */
  run(request: ProofRequest): Promise<ProofRun | undefined>;
}

/** Prices of the gas of one level, in wei per gas. */
export type GasLevel = {
  /** For transactions without EIP-1559 fields. */
  readonly priceWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
  readonly maxFeePerGasWei: bigint;
};

export type GasLevels = {
  /** Base fee of the next block. */
  readonly baseFeeWei: bigint;
  readonly low: GasLevel;
  readonly medium: GasLevel;
  readonly high: GasLevel;
};

export interface GasPort {
  /** From the newest block's fee history; undefined before the first. Never waits. */
  levels(): GasLevels | undefined;
}

/** How much of a chain's market is known. */
export type Coverage = {
  /** Pools that were found, priced or not, and their tokens. */
  readonly pools: number;
  readonly tokens: number;
  readonly phase: "connecting" | "hubs" | "discovering" | "complete";
  /** What is being read now, in words, and how far that is: `done` of `total`, 0 of 0 where that is not known. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** Items that the endpoints of the chain answered since the start, batches counted by their items. */
  readonly requests: number;
  /** Items a second that they take, as learnt from their refusals; undefined where none was refused. */
  readonly perSecond: number | undefined;
};

/** The discovery of a chain's pools while it is served. */
export interface DiscoveryPort {
  coverage(): Coverage;
  /**
   * Brings the pools of two tokens into the market.
   *
   * @param caller on whose behalf; callers take turns, and share the room for pools that are there for being asked for
   * @returns undefined once they are there; what is still being read, in words, where `timeoutMs` passed first
   */
  cover(tokens: readonly [Address, Address], timeoutMs: number, caller: string): Promise<string | undefined>;
}

/** What an endpoint was found to offer, when it was asked first. */
export type EndpointAbilities = {
  /** How the logs of a block are asked for. */
  readonly logs: "by hash" | "by number" | "none";
  /** Blocks of logs that one request may ask for, 10,000 where it takes these; null where it does not say. */
  readonly logRangeBlocks: number | null;
  /** `proven`: receipts hash to the root in the header, so that logs need not be believed. */
  readonly receipts: "proven" | "unproven" | "none";
  readonly callsByHash: boolean;
  readonly overrides: boolean;
  /** Gas that a call may use; null where it cannot be told. */
  readonly callGas: number | null;
};

/** One endpoint of a chain's nodes, for operators. */
export type EndpointReport = {
  /** Requests may go there now. */
  readonly usable: boolean;
  /** Failed requests since the start, by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Time of its last answers that half, and 95 of 100, stayed under; undefined before there are some. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
  /** Blocks that its newest head is behind the newest one of all endpoints; undefined before its first. */
  readonly behindBlocks: number | undefined;
  /** Undefined until it was asked. */
  readonly abilities: EndpointAbilities | undefined;
  /** Most requests in one body, as far as it was learnt. */
  readonly batchSize: number;
  /** Why an answer of the last minutes cannot be true, or is contradicted by another endpoint. */
  readonly doubt: string | undefined;
};

/** An amount that is asked of a maker, as its levels promised it. Smallest units. */
export type FirmAsk = {
  readonly pool: Pool;
  /** What may be sold to the order at most. */
  readonly takerToken: Address;
  readonly takerAmount: bigint;
  readonly makerToken: Address;
  /** What the maker's levels pay for `takerAmount`; a worse order is not taken. */
  readonly promised: bigint;
  /** Who alone may fill the order; undefined = whoever has it. */
  readonly taker: Address | undefined;
  /** Unix time in seconds until which the order must hold at least. */
  readonly leastExpiry: number;
};

/** One maker as an operator wants to see it. */
export type MakerHealth = {
  readonly name: string;
  /** "blocked": it did not keep to its levels too often. "silent": no fresh levels. */
  readonly phase: "live" | "silent" | "blocked";
  /** Pairs that are priced now. */
  readonly pairs: number;
  /** Orders asked for since the start, by outcome. */
  readonly orders: Readonly<Record<MakerOutcome, number>>;
  /** Smoothed share of orders that were not given, 0 … 1. */
  readonly fadeRate: number;
  /** Until a blocked maker is asked again, milliseconds. */
  readonly blockedForMs: number;
  /** Why its newest levels were not taken; undefined where they were. */
  readonly trouble: string | undefined;
};

/** `given`: as promised or better. All others are fades. */
export type MakerOutcome = "given" | "refused" | "late" | "worse" | "invalid" | "failed";

/** Makers that sign orders. */
export interface MakersPort {
  /** @returns undefined where the maker gives no order that is as good as its levels, in time; never rejects */
  firm(ask: FirmAsk, timeoutMs: number): Promise<SignedOrder | undefined>;
  /** Whether a maker prices this token now. */
  prices(token: Address): boolean;
  health(): readonly MakerHealth[];
}

/** One served chain as the services see it. */
export type ServedChain = {
  readonly chain: Chain;
  readonly router: Address;
  /** Why nothing can be swapped through the router now; undefined where its code was seen on the chain. */
  readonly routerTrouble: () => string | undefined;
  readonly market: MarketPort;
  readonly node: NodePort;
  readonly archive: ArchivePort;
  readonly proof: ProofPort;
  readonly gas: GasPort;
  readonly checks: PoolCheckPort;
  /** Whether a token's contract may be taken to do what tokens do and nothing else. Plain data; nothing downloaded adds to it. */
  readonly isVetted: (token: Address) => boolean;
  /** In the order of the configuration. */
  readonly endpoints?: (() => readonly EndpointReport[]) | undefined;
  /** Absent where all pools are known before the first price. */
  readonly discovery?: DiscoveryPort | undefined;
  /** Absent where no makers are configured. */
  readonly makers?: MakersPort | undefined;
};

/** A token of the list with what the service knows beyond lists. */
export type ListedToken = Token & {
  readonly isActive: boolean;
  /** 1 = show first. */
  readonly priority: number;
  readonly isRfq: boolean;
  /** A public list names it: its name and symbol were looked at by people. */
  readonly isListed: boolean;
};

/** Tokens of every served chain, in memory. */
export interface TokenPort {
  get(chainId: number, address: Address): ListedToken | undefined;
  /** In the list's stable order: priority, symbol, address. */
  all(chainId: number): readonly ListedToken[];
}

/** What a JSON-RPC node says to one call. */
export type JsonRpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** The embedded devnet's unlocked accounts as a wallet: a toy, and only where the chain is the devnet that this program runs. */
export interface TestWalletPort {
  readonly chainId: number;
  /** Where a wallet of the user reaches the devnet: a loopback address. */
  readonly rpcUrl: string;
  /** @throws Error where the node does not answer */
  request(method: string, params: readonly unknown[]): Promise<JsonRpcAnswer>;
}
