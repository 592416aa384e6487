import type { Random } from "./random.ts";

/** A token of a made market with its true price. */
export type MadeToken = {
  readonly address: `0x${string}`;
  readonly symbol: string;
  readonly decimals: number;
  readonly usd: number;
};

/** Share of its fee by which a pool's price may be off: below 1, so that no cycle of pools ever pays. */
const NOISE = 0.9;

/** Smallest units of `token` that `usd` buys at its true price. */
function units(token: MadeToken, usd: number): bigint {
  const amount = (usd / token.usd) * 10 ** token.decimals;
  return amount < 2 ** 53 ? BigInt(Math.max(1, Math.round(amount))) : BigInt(amount);
}

/**
 * A v2 pair of `usd` on each side.
 *
 * @param off share by which the first token is too dear; unset, here and below: less than the fee, so that no cycle pays
 */
export function v2State(rng: Random, [a, b]: readonly MadeToken[], usd: number, off?: number) {
  const feeNum = rng.pick([20, 25, 25, 30, 30, 30, 30, 100]);
  const noise = 1 + (off ?? rng.between(-NOISE, NOISE) * (feeNum / 10_000));
  const reserves = [units(a!, usd), units(b!, usd * noise)].map(String);
  return { reserves, feeNum, feeDen: 10_000 };
}

const TIERS = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
];
const MAX_TICK = 887_200;

/** A v3 pool with 3 to 60 positions around its price, of about `usd` on each side. */
export function v3State(rng: Random, [a, b]: readonly MadeToken[], usd: number, off?: number) {
  const tier = rng.pick(a!.usd === 1 && b!.usd === 1 ? TIERS.slice(0, 2) : TIERS.slice(1));
  const noise = 1 + (off ?? (rng.between(-NOISE, NOISE) * tier.fee) / 1e6);
  const price = ((a!.usd / b!.usd) * noise * 10 ** b!.decimals) / 10 ** a!.decimals;
  const root = Math.sqrt(price);
  const tick = Math.floor(Math.log(price) / Math.log(1.0001));
  const positions = 3 + Math.floor(57 * rng.next() ** 3);
  const net = new Map<number, bigint>();
  let liquidity = 0n;
  for (let k = 0; k < positions; k++) {
    const position = makePosition(rng, { tick, spacing: tier.tickSpacing, wide: k === 0 });
    const perRoot =
      ((usd / positions / b!.usd) * 10 ** b!.decimals) / (root - 1.0001 ** (position.lower / 2));
    const size = BigInt(Math.max(1, Math.floor(Math.abs(perRoot))));
    net.set(position.lower, (net.get(position.lower) ?? 0n) + size);
    net.set(position.upper, (net.get(position.upper) ?? 0n) - size);
    if (position.lower <= tick && tick < position.upper) liquidity += size;
  }
  const ticks = [...net]
    .filter(([, change]) => change !== 0n)
    .sort(([x], [y]) => x - y)
    .map(([index, change]) => ({ index, liquidityNet: String(change) }));
  const sqrtPriceX96 = String(BigInt(Math.round(root * 2 ** 52)) << 44n);
  return { ...tier, sqrtPriceX96, tick, liquidity: String(liquidity), ticks };
}

type Spot = { readonly tick: number; readonly spacing: number; readonly wide: boolean };

function makePosition(rng: Random, { tick, spacing, wide }: Spot): { lower: number; upper: number } {
  const round = (value: number) => Math.floor(value / spacing) * spacing;
  if (wide) return { lower: round(-MAX_TICK) + spacing, upper: round(MAX_TICK) };
  const half = spacing * (1 + Math.floor(rng.next() ** 2 * (12_000 / spacing)));
  const centre = tick + Math.round(rng.between(-1, 1) * half * 0.9);
  const lower = round(centre - half);
  return { lower, upper: Math.max(round(centre + half), lower + spacing) };
}

/** A stableswap pool of coins of equal price, off balance by no more than its fee allows. */
export function stableState(rng: Random, tokens: readonly MadeToken[], usd: number, off?: number) {
  const fee = rng.pick([1_000_000, 2_000_000, 4_000_000]);
  const amp = rng.pick([100, 200, 500, 1000, 2000]);
  const lean =
    off === undefined
      ? leanWithin(rng, { coins: tokens.length, amp, most: (NOISE * fee) / 1e10 })
      : leanOf(tokens.length, amp, off);
  return {
    balances: tokens.map((token, k) => String(units(token, usd * (1 + lean[k]!)))),
    rates: tokens.map(({ decimals }) => String(10n ** BigInt(36 - decimals))),
    amp: String(amp * 100),
    aPrecision: "100",
    fee: String(fee),
    adminFee: "5000000000",
    execFee: rng.pick(["beforeRate", "afterRate"]),
  };
}

type Leaning = { readonly coins: number; readonly amp: number; readonly most: number };

/** How far each balance is from the mean, as a share, where no price is off by more than `most`. */
function leanWithin(rng: Random, { coins, amp, most }: Leaning): number[] {
  let lean = Array.from({ length: coins }, () => rng.between(-0.6, 0.6));
  while (spread(lean, amp) > most) lean = lean.map((l) => l * 0.7);
  return lean;
}

/** The first coin lacks so much that it is too dear by `off`, or where that is below 0, it lies about that the others are. */
function leanOf(coins: number, amp: number, off: number): number[] {
  const wanted = off > 0 ? off : 1 / (1 + off) - 1;
  const leaning = (share: number) => {
    const first = off > 0 ? -share : share * (coins - 1);
    return [first, ...Array<number>(coins - 1).fill(-first / (coins - 1))];
  };
  let [low, high] = [0, 1];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (spread(leaning(middle), amp) < wanted) low = middle;
    else high = middle;
  }
  return leaning(low);
}

/** The largest marginal price between two coins of a stableswap pool, less 1. */
function spread(lean: readonly number[], amp: number): number {
  const n = lean.length;
  const x = lean.map((l) => 1 + l);
  const ann = amp * n;
  let d = x.reduce((sum, v) => sum + v, 0);
  for (let k = 0; k < 100; k++) {
    const product = x.reduce((p, v) => (p * d) / (n * v), d);
    const sum = x.reduce((s, v) => s + v, 0);
    d = ((ann * sum + product * n) * d) / ((ann - 1) * d + (n + 1) * product);
  }
  const product = x.reduce((p, v) => (p * d) / (n * v), d);
  const slopes = x.map((v) => ann + product / v);
  return Math.max(...slopes) / Math.min(...slopes) - 1;
}

/** A weighted pool of two to four tokens. */
export function weightedState(rng: Random, tokens: readonly MadeToken[], usd: number, off?: number) {
  const raw = tokens.map(() => rng.pick([1, 1, 2, 4]));
  const total = raw.reduce((sum, v) => sum + v, 0);
  const weights = raw.map((v) => (10n ** 18n * BigInt(v)) / BigInt(total));
  weights[0]! += 10n ** 18n - weights.reduce((sum, v) => sum + v, 0n);
  const fee = rng.pick([1e15, 2.5e15, 3e15, 1e16]);
  const balances = tokens.map((token, k) => {
    const noise =
      off === undefined ? 1 + rng.between(-NOISE / 2.1, NOISE / 2.1) * (fee / 1e18) : 1 + (k > 0 ? off : 0);
    return units(token, 2 * usd * Number(weights[k]) * 1e-18 * noise);
  });
  return {
    balances: balances.map(String),
    weights: weights.map(String),
    scalingFactors: tokens.map(({ decimals }) => String(10n ** BigInt(18 - decimals))),
    swapFee: String(fee),
    powVersion: rng.pick(["v1", "v2"]),
  };
}
