import type { Address } from "../../../src/core/types.ts";
import { addFile, emptyMarket, type Market } from "../market/market.ts";
import { type MadeToken, stableState, v2State, v3State, weightedState } from "../market/pools.ts";
import { type Random, random } from "../market/random.ts";
import type { MarketPool, Order } from "../market/schema.ts";
import { makeBoard } from "../orders/board.ts";
import { usableEdges } from "./bracket.ts";

/** A market so small that the referee can solve it, and an order on it. */
export type RefereeCase = {
  readonly seed: number;
  readonly number: number;
  readonly market: Market;
  readonly order: Order;
  readonly gasGwei: number;
  readonly maxLegs: number;
  /** Whether some pools are mispriced by more than their fee. */
  readonly hasArbitrage: boolean;
};

const MOST_EDGES = 25;
const TOKENS: readonly (readonly [decimals: number, usd: number])[] = [
  [18, 3000],
  [6, 1],
  [18, 1],
  [8, 60_000],
  [18, 3500],
  [9, 0.02],
  [18, 7],
];
const STABLES = [1, 2];
const ADDRESSES = TOKENS.map((_, n) => `0x${(n + 1).toString(16).padStart(40, "0")}` as Address);

/** The seed's case number `n`: 4 to 7 tokens, pools of two tokens of all designs, of 30,000 to 3,000,000 USD a side. */
export function refereeCase(seed: number, n: number): RefereeCase {
  const rng = random(Math.imul(seed, 0x9e3779b1) ^ n);
  const tokens = TOKENS.slice(0, 4 + rng.below(4)).map(([decimals, usd], k) => ({
    ...{ address: ADDRESSES[k]!, symbol: `T${k}`, decimals, usd },
  }));
  const hasArbitrage = rng.next() < 0.3;
  const [from, to] = distinctPair(rng, tokens.length);
  const ends = { tokenIn: tokens[from]!.address, tokenOut: tokens[to]!.address };
  let pools = tokens
    .slice(1)
    .map((_, k) => makePool(rng, { n: k, tokens, hasArbitrage, pair: [k + 1, rng.below(k + 1)] }));
  for (;;) {
    const next = makePool(rng, {
      ...{ n: pools.length, tokens, hasArbitrage },
      pair: distinctPair(rng, tokens.length),
    });
    if (edgesOf([...pools, next], tokens, ends) > MOST_EDGES) break;
    pools = [...pools, next];
  }
  const usd = 10 ** rng.between(2, 5.7);
  const amountIn = String(BigInt(Math.ceil((usd / tokens[from]!.usd) * 10 ** tokens[from]!.decimals)));
  return {
    ...{ seed, number: n },
    market: marketOf(pools, tokens),
    order: { ...ends, amountIn },
    gasGwei: rng.pick([0, 5, 5, 50]),
    maxLegs: rng.pick([16, 16, 16, 3]),
    hasArbitrage,
  };
}

function distinctPair(rng: Random, count: number): [number, number] {
  const a = rng.below(count);
  return [a, (a + 1 + rng.below(count - 1)) % count];
}

type Wanted = {
  readonly n: number;
  readonly tokens: readonly MadeToken[];
  readonly hasArbitrage: boolean;
  readonly pair: readonly [number, number];
};

function makePool(rng: Random, { n, tokens, hasArbitrage, pair }: Wanted): MarketPool {
  const members = [...pair].sort((a, b) => a - b).map((k) => tokens[k]!);
  const isStable = pair.every((k) => STABLES.includes(k)) && rng.next() < 0.6;
  const isWrong = hasArbitrage && rng.next() < 0.3;
  const usd = 10 ** (isWrong ? rng.between(-1, 4) : rng.between(4.5, 6.5));
  const off = isWrong ? rng.pick([-1, 1]) * rng.between(0.01, 0.4) : undefined;
  const chance = rng.next();
  const [protocol, state] = isStable
    ? (["curve-stable-plain", stableState] as const)
    : chance < 0.5
      ? (["uniswap-v2", v2State] as const)
      : chance < 0.85
        ? (["uniswap-v3", v3State] as const)
        : (["balancer-v2-weighted", weightedState] as const);
  return {
    protocol,
    address: `0x${(n + 1).toString(16).padStart(8, "0").padEnd(40, "e1")}`,
    tokens: members.map(({ address }) => address),
    state: state(rng, members, usd, off),
  };
}

function marketOf(pools: readonly MarketPool[], tokens: readonly MadeToken[]): Market {
  const market = emptyMarket();
  addFile(market, {
    schema: "market/1",
    chainId: 1,
    block: 1,
    timestamp: 1,
    native: tokens[0]!.address,
    usd: {},
    tokens: tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
    pools,
  });
  return market;
}

function edgesOf(
  pools: readonly MarketPool[],
  tokens: readonly MadeToken[],
  { tokenIn, tokenOut }: Omit<Order, "amountIn">,
): number {
  const board = makeBoard(marketOf(pools, tokens));
  return usableEdges(board, { from: board.nodeOf.get(tokenIn)!, to: board.nodeOf.get(tokenOut)! }).length;
}
