import { readFileSync } from "node:fs";
import { MAX_TICK, MIN_TICK } from "../../src/core/math/tick-math.ts";
import type { Address, At, Facts, Pool } from "../../src/core/types.ts";
import type { WeightedState } from "../../src/protocols/balancer-v2/state.ts";
import type { State as CurveState } from "../../src/protocols/curve-stable/state.ts";
import type { MarketFile, MarketPool, MarketToken, Order } from "./schema.ts";

/** A market in memory: decoded pools and states, ready for the engine. */
export type Market = {
  readonly native: Address;
  readonly at: At;
  readonly tokens: Map<Address, MarketToken>;
  /** USD of one whole token, where the file says. */
  readonly usd: Map<Address, number>;
  readonly pools: Pool[];
  readonly states: Map<string, unknown>;
  /** Gas units that a pool states for itself. */
  readonly gas: Map<string, number>;
  ignored: number;
};

const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

/** Reads market files, and the files of v2 pairs and weighted pools, into one market. */
export function readMarket(files: readonly string[]): Market {
  const market: Market = {
    native: WETH,
    at: { blockNumber: 1, timestamp: 1 },
    tokens: new Map(),
    usd: new Map(),
    pools: [],
    states: new Map(),
    gas: new Map(),
    ignored: 0,
  };
  for (const file of files) {
    const content = JSON.parse(readFileSync(file, "utf8")) as { schema: string };
    const read = readers[content.schema];
    if (read === undefined) throw new Error(`${file}: unknown schema ${content.schema}`);
    read(market, content as never);
  }
  return market;
}

export function readOrders(file: string): Order[] {
  return JSON.parse(readFileSync(file, "utf8")) as Order[];
}

const readers: Record<string, (market: Market, content: never) => void> = {
  "market/1": readMarketFile,
  "pools-univ2/1": readPairs,
  "pools-weighted/1": readWeighted,
};

function readMarketFile(market: Market, file: MarketFile): void {
  Object.assign(market, {
    native: lower(file.native),
    at: { blockNumber: file.block + 1, timestamp: file.timestamp + 12 },
  });
  for (const token of file.tokens) market.tokens.set(lower(token.address), token);
  for (const [token, price] of Object.entries(file.usd)) market.usd.set(lower(token), price);
  for (const pool of file.pools) addPool(market, pool);
}

function addPool(market: Market, { protocol, address, tokens, state, gas }: MarketPool): void {
  const decoded = decoders[protocol]?.(state as never);
  if (decoded === undefined) {
    market.ignored++;
    return;
  }
  const id = lower(address);
  market.pools.push({
    id,
    address: id,
    protocol: decoded.protocol,
    deployment: protocol,
    tokens: tokens.map(lower),
    stateIds: [id],
    facts: decoded.facts,
  });
  market.states.set(id, {
    ...(decoded.state as object),
    ...(decoded.protocol === "balancer-v2" && { tokens: tokens.map(lower) }),
  });
  if (gas !== undefined) market.gas.set(id, gas);
}

type Decoded = { readonly protocol: string; readonly facts: Facts; readonly state: unknown };

const decoders: Record<string, (state: never) => Decoded | undefined> = {
  "uniswap-v2": decodePair,
  "uniswap-v3": decodeConcentrated,
  "curve-stable-plain": decodeStable,
  "balancer-v2-weighted": decodeWeighted,
};

type PairState = { reserves: [string, string]; feeNum: number; feeDen: number };

function decodePair({ reserves, feeNum, feeDen }: PairState): Decoded | undefined {
  const feePpm = (Number(feeNum) * 1_000_000) / Number(feeDen);
  if (!Number.isInteger(feePpm) || feePpm < 0 || feePpm >= 1_000_000) return undefined;
  const state = { reserves: reserves.map(BigInt), feePpm };
  return { protocol: "uniswap-v2", facts: { feePpm }, state };
}

type ConcentratedState = {
  fee: number;
  tickSpacing: number;
  sqrtPriceX96: string;
  tick: number;
  liquidity: string;
  ticks: { index: number; liquidityNet: string }[];
};

function decodeConcentrated(file: ConcentratedState): Decoded {
  const nets = file.ticks.map(({ liquidityNet }) => BigInt(liquidityNet));
  const facts = { feePpm: Number(file.fee), tickSpacing: Number(file.tickSpacing) };
  const state = {
    ...facts,
    sqrtPriceX96: BigInt(file.sqrtPriceX96),
    tick: Number(file.tick),
    liquidity: BigInt(file.liquidity),
    lowest: MIN_TICK,
    highest: MAX_TICK,
    ticks: file.ticks.map(({ index }) => Number(index)),
    nets,
    grosses: nets.map((net) => (net < 0n ? -net : net)),
  };
  return { protocol: "uniswap-v3", facts, state };
}

type StablePoolState = {
  balances: string[];
  rates: string[];
  amp: string;
  aPrecision: string;
  fee: string;
  adminFee: string;
  execFee?: "beforeRate" | "afterRate";
};

function decodeStable(file: StablePoolState): Decoded {
  const amp = BigInt(file.amp);
  const state: CurveState = {
    rounding: file.execFee === "afterRate" ? "feeAfterRate" : "base",
    balances: file.balances.map(BigInt),
    rates: file.rates.map(BigInt),
    ramp: { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 },
    aPrecision: BigInt(file.aPrecision),
    fee: BigInt(file.fee),
    adminFee: BigInt(file.adminFee),
    offpegFeeMultiplier: 0n,
    lpSupply: 0n,
    base: null,
    worth: null,
    readAt: 0,
  };
  return { protocol: "curve-stable", facts: { implementation: "base" }, state };
}

type WeightedPoolState = {
  balances: string[];
  weights: string[];
  scalingFactors: string[];
  swapFee: string;
  powVersion?: "v1" | "v2";
};

function decodeWeighted(file: WeightedPoolState): Decoded {
  const state: Omit<WeightedState, "tokens"> = {
    kind: "weighted",
    vault: "0xba12222222228d8ba445958a75a0704d566bf2c8",
    balances: file.balances.map(BigInt),
    swapFee: BigInt(file.swapFee),
    scaling: file.scalingFactors.map(BigInt),
    weights: file.weights.map(BigInt),
    shortcuts: file.powVersion !== "v1",
  };
  return { protocol: "balancer-v2", facts: {}, state };
}

type PairsFile = {
  dex: string;
  feeNum: number;
  feeDen: number;
  tokens: [number, Address, string, number][];
  pairs: [Address, number, number, string, string, number][];
};

function readPairs(market: Market, file: PairsFile): void {
  for (const [, address, symbol, decimals] of file.tokens) {
    market.tokens.set(lower(address), { address: lower(address), symbol, decimals });
  }
  for (const [address, a, b, reserve0, reserve1] of file.pairs) {
    const tokens = [file.tokens[a]![1], file.tokens[b]![1]];
    const state = { reserves: [reserve0, reserve1], feeNum: file.feeNum, feeDen: file.feeDen };
    addPool(market, { protocol: "uniswap-v2", address, tokens, state });
  }
}

type WeightedFile = {
  tokens: [number, Address, number][];
  pools: [string, string, [number, string, string][]][];
};

function readWeighted(market: Market, file: WeightedFile): void {
  for (const [, address, decimals] of file.tokens) {
    market.tokens.set(lower(address), { address: lower(address), symbol: "", decimals });
  }
  for (const [id, swapFee, coins] of file.pools) {
    const tokens = coins.map(([token]) => file.tokens[token]![1]);
    const decimals = coins.map(([token]) => file.tokens[token]![2]);
    const raw = coins.map(([, , weight]) => units(weight, 18));
    const total = raw.reduce((sum, weight) => sum + weight, 0n);
    const state = {
      balances: coins.map(([, balance], k) => String(units(balance, decimals[k]!))),
      weights: raw.map((weight) => String((weight * 10n ** 18n) / total)),
      scalingFactors: decimals.map((d) => String(10n ** BigInt(18 - d))),
      swapFee: String(units(swapFee, 18)),
      powVersion: "v2",
    };
    addPool(market, { protocol: "balancer-v2-weighted", address: id as Address, tokens, state });
  }
}

/** A decimal string in units of 10^-decimals, rounded down. */
function units(text: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

function lower(address: string): Address {
  return address.toLowerCase() as Address;
}
