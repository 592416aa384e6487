import { setImmediate } from "node:timers/promises";
import { allowedBy } from "../../src/core/allowance.ts";
import { BraidError } from "../../src/core/errors.ts";
import { createEngine } from "../../src/core/routing/engine.ts";
import { type Address, type Head, type Hex, NATIVE, type Pool } from "../../src/core/types.ts";
import { createQuotes } from "../../src/edge/quotes/quotes.ts";
import { type AppOptions, createApp, type Service } from "../../src/http/app.ts";
import type { Log } from "../../src/http/app-types.ts";
import { defaultHttpSettings, type HttpSettings } from "../../src/http/settings.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Deps, defaultServiceSettings, type ServiceSettings } from "../../src/service/deps.ts";
import type {
  FindRequest,
  GasLevels,
  ProofRequest,
  ProofRun,
  QuarantinedPool,
  SentTransaction,
  ServedChain,
  TokenMetadata,
} from "../../src/service/ports/ports.ts";
import type { BodiesPort } from "../../src/service/ports/ports-bodies.ts";
import type { ChainStatus } from "../../src/service/ports/ports-status.ts";
import { beforeApprovals, emptyLedger, type Ledger, type Market, readToken, run } from "./ledger.ts";

/** A served chain in memory: real engine, real maths, real calldata; the node and the wallets are a ledger. */

import { ethereum, listed, pairs, ROUTER, SUSHI_WETH_USDC, WETH } from "./world-market.ts";

export {
  ALICE,
  BOB,
  DAI,
  DUST,
  FEES,
  LONELY,
  LONELY_TWIN,
  ROUTER,
  SUSHI_WETH_USDC,
  UNI_WETH_USDC,
  USDC,
  USDT,
  WETH,
} from "./world-market.ts";

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

export const live: ChainStatus = { phase: "live", head, ageMs: 100, headAgeMs: 100 };
export const starting: ChainStatus = { phase: "starting", reason: "no node answers" };

/** Who waits for a block; called when one comes. */
export const waiting = new WeakMap<World, Set<() => void>>();

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
      simulate: (transaction, on) =>
        ask(() => {
          const result = run(on ? beforeApprovals(world.ledger) : world.ledger, market, transaction);
          return { ...result, blockHash: on && world.simulatedOn, method: "eth_simulateV1" };
        }),
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
