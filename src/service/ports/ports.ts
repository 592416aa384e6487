import type { Allowance } from "../../core/allowance.ts";
import type { RouteRequest, RouteResult } from "../../core/routing/types.ts";
import type { Address, At, Call, Chain, Head, Hex, Log, PoolId, Token, View } from "../../core/types.ts";
import type { BodiesPort } from "./ports-bodies.ts";
import type { DiscoveryPort } from "./ports-discovery.ts";
import type { EndpointReport } from "./ports-endpoints.ts";
import type { MakersPort } from "./ports-makers.ts";

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
  /** Pool states of that block, or of the one that is being built on it. */
  readonly view: View;
  /** Whether the states are those of a block that is not sealed: what a node says of `head` proves nothing about them. */
  readonly isPreconfirmed: boolean;
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
  readonly hash: Hex;
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
  /** The time of a block, Unix seconds; undefined where no node knows it. */
  timeOf(blockHash: Hex): Promise<number | undefined>;
  /** What a mined transaction's own call answered; undefined where no node traces it, or it reverted. */
  answer(hash: Hex): Promise<Hex | undefined>;
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
  /** Absent where the operator does not let blocks be read. */
  readonly bodies?: BodiesPort | undefined;
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
