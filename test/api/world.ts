import { setImmediate } from "node:timers/promises";
import { allowedBy } from "../../src/core/allowance.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { BraidError } from "../../src/core/errors.ts";
import { createEngine } from "../../src/core/routing/engine.ts";
import {
  type Address,
  type Chain,
  type Deployment,
  type Head,
  type Hex,
  NATIVE,
  type Pool,
} from "../../src/core/types.ts";
import { createQuotes } from "../../src/edge/quotes/quotes.ts";
import { type AppOptions, createApp, type Service } from "../../src/http/app.ts";
import type { Log } from "../../src/http/app-types.ts";
import { defaultHttpSettings, type HttpSettings } from "../../src/http/settings.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Deps, defaultServiceSettings, type ServiceSettings } from "../../src/service/deps.ts";
import type {
  ChainStatus,
  FindRequest,
  GasLevels,
  ListedToken,
  ProofRequest,
  ProofRun,
  QuarantinedPool,
  SentTransaction,
  ServedChain,
  TokenMetadata,
} from "../../src/service/ports/ports.ts";
import type { BodiesPort } from "../../src/service/ports/ports-bodies.ts";
import { listOrder } from "../../src/service/tokens.ts";
import { emptyLedger, type Ledger, type Market, readToken, run } from "./ledger.ts";

/** A served chain in memory: real engine, real maths, real calldata; the node and the wallets are a ledger. */

const E18 = 10n ** 18n;
const E6 = 10n ** 6n;
const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;

export const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const USDT: Address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
export const DAI: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
/** Listed and rarely used; no pool holds it. */
export const DUST: Address = hex(0xd057);
/** Listed with a pool of its own that nothing joins to the rest. */
export const LONELY: Address = hex(0x1023);
export const LONELY_TWIN: Address = hex(0x1024);
export const ALICE: Address = hex(0xa11ce);
export const BOB: Address = hex(0xb0b);
export const FEES: Address = hex(0xfee5);
export const ROUTER = ROUTER_ADDRESS;

function deployment(id: string, protocol: string, name: string): Deployment {
  return { id, protocol, name, factory: WETH, fromBlock: 0, trusted: true, facts: {}, source: "test" };
}

const ethereum: Chain = {
  id: 1,
  name: "Ethereum",
  shortname: "eth",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: WETH,
  multicall: hex(0xca11),
  blockTimeMs: 12_000,
  dollarTokens: [USDC, USDT, DAI],
  deployments: [
    deployment("wrapped-native", "wrapped-native", "WETH"),
    deployment("uniswap-v2", "uniswap-v2", "Uniswap_V2"),
    deployment("sushiswap", "uniswap-v2", "SushiSwap"),
  ],
};

const pair = (n: number, owner: string, a: Address, b: Address): Pool => ({
  id: hex(n),
  address: hex(n),
  protocol: "uniswap-v2",
  deployment: owner,
  tokens: a < b ? [a, b] : [b, a],
  stateIds: [hex(n)],
  facts: { feePpm: 3000 },
});

type Funded = { readonly pool: Pool; readonly reserves: ReadonlyMap<Address, bigint> };
const funded = (pool: Pool, ...entries: [Address, bigint][]): Funded => ({
  pool,
  reserves: new Map(entries),
});

export const UNI_WETH_USDC = hex(0x501);
export const SUSHI_WETH_USDC = hex(0x502);

const pairs: readonly Funded[] = [
  funded(pair(0x501, "uniswap-v2", WETH, USDC), [WETH, 10_000n * E18], [USDC, 20_000_000n * E6]),
  funded(pair(0x502, "sushiswap", WETH, USDC), [WETH, 5_000n * E18], [USDC, 10_000_000n * E6]),
  funded(pair(0x503, "uniswap-v2", USDC, DAI), [USDC, 5_000_000n * E6], [DAI, 5_000_000n * E18]),
  funded(pair(0x504, "sushiswap", WETH, USDT), [WETH, 2_000n * E18], [USDT, 4_000_000n * E6]),
  funded(pair(0x505, "uniswap-v2", LONELY, LONELY_TWIN), [LONELY, 1_000n * E18], [LONELY_TWIN, 1_000n * E18]),
];

function token(
  address: Address,
  symbol: string,
  decimals: number,
  more: Partial<ListedToken> = {},
): ListedToken {
  return {
    chainId: 1,
    address,
    name: `${symbol} token`,
    symbol,
    decimals,
    logoUri: "",
    isActive: true,
    priority: 3,
    isRfq: false,
    isListed: true,
    ...more,
  };
}

const listed: readonly ListedToken[] = [
  token(NATIVE, "ETH", 18, { name: "Ether", priority: 1 }),
  token(WETH, "WETH", 18, { name: "Wrapped Ether", priority: 2 }),
  token(USDC, "USDC", 6, { name: "USD Coin" }),
  token(USDT, "USDT", 6, { name: "Tether USD" }),
  token(DAI, "DAI", 18, { name: "Dai Stablecoin" }),
  token(LONELY, "LONE", 18, { priority: 9, isListed: false }),
  token(LONELY_TWIN, "LTWIN", 18, { priority: 9 }),
  token(DUST, "DUST", 18, { isActive: false, priority: 50 }),
  token(USDC, "USDC", 6, { chainId: 10, name: "USD Coin" }),
].sort(listOrder);

const GWEI = 10n ** 9n;
const level = (priceWei: bigint) => ({
  priceWei,
  maxPriorityFeePerGasWei: GWEI,
  maxFeePerGasWei: priceWei * 2n,
});

const levels: GasLevels = {
  baseFeeWei: 13_257_000_000n,
  low: level(13_500_000_000n),
  medium: level(14n * GWEI),
  high: level(14_257_000_000n),
};

/** What a test may turn. */
type World = {
  status: ChainStatus;
  levels: GasLevels | undefined;
  nodeDown: boolean;
  /** The node says that it ran on this block; undefined = it does not say. */
  simulatedOn: Hex | undefined;
  /** Why nothing can be swapped. */
  routerTrouble: string | undefined;
  /** The states are those of a block that is being built. */
  isPreconfirmed: boolean;
  readonly ledger: Ledger;
  /** Pools that quotes asked to have checked. */
  readonly reported: string[];
  readonly quarantined: QuarantinedPool[];
  /** What contracts that no list has say of themselves. */
  readonly contracts: Map<Address, TokenMetadata>;
  /** How the node runs a quote's calldata for whoever could pay; undefined = not at all. */
  proof: ((request: ProofRequest, market: Market) => ProofRun | undefined) | undefined;
  /** Accounts that are contracts. */
  readonly coded: Set<Address>;
  /** What tokens keep of a transfer, basis points. */
  readonly transferFees: Map<Address, number>;
  readonly transactions: Map<Hex, SentTransaction>;
  /** What nodes say that mined transactions answered; none unless given. */
  readonly answers: Map<Hex, Hex>;
  /** "address block" → what the account held at the end of the block. */
  readonly accounts: Map<string, { balance: bigint; nonce: number }>;
  /** Blocks that never come are waited for and given up. */
  readonly head: Head;
  readonly log: string[];
  /** What the engine throws instead of searching. */
  searchFails: Error | undefined;
  /** Called at each search with its time limit. */
  onSearch: ((timeoutMs: number) => void) | undefined;
  /** One of the two pools that the tests trade in is left out of every search. */
  excluded: boolean;
  /** Mines a block in which nothing happened. */
  nextBlock(): void;
  /** Sells an amount of a token to a pool, as somebody else would in the next block. */
  trade(pool: string, sold: Address, amount: bigint): void;
  /** Every search waits for this. */
  hold: Promise<void> | undefined;
};

const head: Head = {
  number: 100,
  hash: `0x${"ab".repeat(32)}`,
  parentHash: `0x${"aa".repeat(32)}`,
  timestamp: 1_700_000_000,
};

export const live: ChainStatus = { phase: "live", head, ageMs: 100 };
export const starting: ChainStatus = { phase: "starting", reason: "no node answers" };

/** Who waits for a block; called when one comes. */
const waiting = new WeakMap<World, Set<() => void>>();

function waitFor(world: World, block: number, timeoutMs: number): Promise<boolean> {
  const isReached = () => world.status.phase === "live" && world.status.head.number >= block;
  if (isReached()) return Promise.resolve(true);
  const waiters = waiting.get(world) ?? new Set();
  waiting.set(world, waiters);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiters.delete(done);
      resolve(isReached());
    };
    const timer = setTimeout(done, timeoutMs).unref();
    waiters.add(done);
  });
}

function mine(world: World): void {
  if (world.status.phase !== "live") return;
  const { head: before } = world.status;
  const number = before.number + 1;
  const hash: Hex = `0x${number.toString(16).padStart(64, "0")}`;
  world.status = { ...world.status, head: { ...before, number, hash, parentHash: before.hash } };
  for (const wake of [...(waiting.get(world) ?? [])]) wake();
}

function newWorld(): World {
  return {
    status: live,
    excluded: false,
    nextBlock() {
      mine(this);
    },
    levels,
    nodeDown: false,
    simulatedOn: head.hash,
    routerTrouble: undefined,
    isPreconfirmed: false,
    ledger: emptyLedger(),
    reported: [],
    quarantined: [],
    contracts: new Map(),
    proof: undefined,
    coded: new Set(),
    transferFees: new Map(),
    transactions: new Map(),
    answers: new Map(),
    accounts: new Map(),
    head,
    log: [],
    searchFails: undefined,
    onSearch: undefined,
    hold: undefined,
    trade: () => {
      throw new Error("nothing is served yet");
    },
  };
}

function buildMarket() {
  const wrapper = ethereum.deployments[0]!;
  const wrap = protocols.get("wrapped-native")!.seeds({ ...wrapper, factory: WETH });
  const pools = [...pairs.map(({ pool }) => pool), ...wrap];
  const at = { blockNumber: head.number + 1, timestamp: head.timestamp + 12 };
  const states = new Map<string, unknown>(
    pairs.map(({ pool, reserves }) => [
      pool.id,
      { reserves: pool.tokens.map((each) => reserves.get(each)!), feePpm: 3000 },
    ]),
  );
  for (const pool of wrap) states.set(pool.id, protocols.get("wrapped-native")!.load(pool, [], at));
  const view = { get: (id: string) => states.get(id) };
  const engine = createEngine(protocols, { wrappedNative: WETH });
  engine.patch({ pools, removed: [] }, view, at);
  const trade = (id: string, sold: Address, amount: bigint) => {
    const pool = pools.find((one) => one.id === id)!;
    const i = pool.tokens.indexOf(sold);
    const fill = protocols.get(pool.protocol)!.quote(view, pool, i, 1 - i, amount, "in", at);
    for (const [state, after] of fill!.writes) states.set(state, after);
    engine.patch({ pools: [pool], removed: [] }, view, at);
  };
  return { pools, wrap, at, view, engine, trade };
}

function serve(world: World): ServedChain {
  const { pools, wrap, at, view, engine, trade } = buildMarket();
  world.trade = trade;
  const market: Market = {
    registry: protocols,
    pools,
    view,
    at,
    router: ROUTER,
    tokens: new Set(listed.map(({ address }) => address)),
  };
  const down = () => new BraidError("STALE_STATE", "No node answers.", { retryAfterSeconds: 2 });
  const ask = <T>(answer: () => T): Promise<T> =>
    world.nodeDown ? Promise.reject(down()) : Promise.resolve(answer());
  const isVetted = (address: Address) =>
    listed.some((each) => each.chainId === 1 && each.address === address);
  const find = async ({ allowed, ...query }: FindRequest) => {
    await world.hold;
    world.onSearch?.(query.timeoutMs);
    if (world.searchFails !== undefined) throw world.searchFails;
    const isAllowed = allowedBy(allowed, query, isVetted);
    const allows = (pool: Pool) => isAllowed(pool) && !(world.excluded && pool.id === SUSHI_WETH_USDC);
    // What is answered here may not depend on how busy the machine is.
    return engine.find({ ...query, allows, at, now: () => 0 });
  };
  return {
    chain: ethereum,
    router: ROUTER,
    routerTrouble: () => world.routerTrouble,
    market: {
      status: () => world.status,
      at: () => at,
      view: () => view,
      parallel: 1,
      session: async (_caller, work) => {
        if (world.status.phase !== "live") throw new Error("no session before the first state");
        const { head } = world.status;
        return work({ head, at, view, isPreconfirmed: world.isPreconfirmed, find });
      },
      waitFor: (block, timeoutMs) => waitFor(world, block, timeoutMs),
      isTraded: (address) => pools.some((pool) => pool.tokens.includes(address)),
      nativePer: (address) => engine.nativePer(address),
      priceDepth: (address) => engine.priceDepth(address),
      counts: () => ({
        pools: pools.length,
        byProtocol: { "uniswap-v2": pairs.length, "wrapped-native": wrap.length },
        tokens: 7,
        refused: {},
        quarantined: world.quarantined.length,
      }),
      quarantined: () => world.quarantined,
    },
    node: {
      call: (to, data) => ask(() => readToken(world.ledger, market, to, data)),
      getBalance: (owner) => ask(() => world.ledger.balances.get(`${NATIVE} ${owner}`) ?? 0n),
      simulate: (transaction) =>
        ask(() => ({
          ...run(world.ledger, market, transaction),
          blockHash: world.simulatedOn,
          method: "eth_simulateV1",
        })),
    },
    proof: {
      run: (request) => ask(() => world.proof?.(request, market)),
      isContract: (account) => ask(() => world.coded.has(account)),
      transferFeeBps: ({ token: asked }) => ask(() => world.transferFees.get(asked)),
    },
    archive: {
      read: (calls) =>
        ask(() =>
          calls.map(({ to, data }): Hex => {
            const owner: Address = `0x${data.slice(34, 74)}`;
            const coins = world.ledger.balances.get(`${NATIVE} ${owner}`) ?? 0n;
            if (to === ethereum.multicall) return `0x${coins.toString(16).padStart(64, "0")}`;
            return readToken(world.ledger, market, to, data);
          }),
        ),
      tokenMetadata: (address) => ask(() => world.contracts.get(address)),
      transaction: (hash) => ask(() => world.transactions.get(hash)),
      account: (address, block) => ask(() => world.accounts.get(`${address} ${block}`)),
      timeOf: () => ask(() => head.timestamp),
      answer: (hash) => ask(() => world.answers.get(hash)),
      run: (transaction) => ask(() => run(world.ledger, market, transaction)),
    },
    gas: { levels: () => world.levels },
    checks: {
      report: (ids) => void world.reported.push(...ids),
      counts: () => ({ sound: 0, wrong: 0, inconclusive: 0, unvetted: 0, dropped: 0 }),
    },
    isVetted,
  };
}

function createDeps(world: World, settings: Partial<ServiceSettings> = {}): Deps {
  return {
    chains: new Map([[1, serve(world)]]),
    tokens: {
      get: (chainId, address) => listed.find((each) => each.chainId === chainId && each.address === address),
      all: (chainId) => listed.filter((each) => each.chainId === chainId),
    },
    registry: protocols,
    unixSeconds: () => head.timestamp + 5,
    monotonicMs: () => performance.now(),
    pause: () => setImmediate(),
    quotes: createQuotes(),
    settings: { ...defaultServiceSettings, minBlockWaitMs: 10, searchTimeoutMs: 500, ...settings },
  };
}

type Options = Partial<Pick<AppOptions, "pageRoot" | "testWallet" | "keys" | "logos">> & {
  readonly http?: Partial<HttpSettings>;
  /** Lets blocks be read. */
  readonly bodies?: BodiesPort;
  /** Served instead of the world's own. */
  readonly chains?: Deps["chains"];
  /** Others than the world's own. */
  readonly deps?: Partial<Deps>;
};

/** A world and the API over it. */
export async function createWorld(options: Options = {}): Promise<Service & { world: World; deps: Deps }> {
  const world = newWorld();
  const own = createDeps(world);
  Object.assign(own.chains.get(1)!, { bodies: options.bodies });
  const deps = { ...own, chains: options.chains ?? own.chains, ...options.deps };
  const keep = (fields: object, message: string) =>
    void world.log.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.message : value))}`,
    );
  const log: Log = { info: keep, warn: keep, error: keep };
  const app: AppOptions = {
    deps,
    log,
    settings: { ...defaultHttpSettings, rateLimitPerMinute: 0, processMetrics: false, ...options.http },
    version: "0.0.0-test",
    pageRoot: options.pageRoot,
    testWallet: options.testWallet,
    keys: options.keys,
    logos: options.logos,
  };
  return { ...(await createApp(app)), world, deps };
}
