import { performance } from "node:perf_hooks";
import type { Registry } from "../../../src/core/protocol.ts";
import type { Engine } from "../../../src/core/routing/types.ts";
import type { Pool } from "../../../src/core/types.ts";
import { benchRegistry } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import { random } from "../market/random.ts";
import type { Summary } from "../market/schema.ts";
import { quantileOf } from "../report/statistics.ts";

const BLOCK = 5_000;
/** A service that follows a chain has done all of this before: the first half of each is left out. */
const BLOCKS = 40;
const SINGLES = 4_000;

/**
 * How long the engine takes to follow the market: medians of blocks of 5,000 changed pools and of single pools by kind.
 * Each change is what a small swap leaves behind. The engine is given the market's own states back at the end.
 */
export function measurePatches(engine: Engine, market: Market): Pick<Summary, "patchMs" | "patchUs"> {
  const rng = random(5);
  const moved = new Map(market.states);
  const registry = benchRegistry(market);
  for (const pool of market.pools) moved.set(pool.id, afterSmallSwap(market, registry, pool));
  const views = [moved, market.states].map((states) => ({ get: (id: string) => states.get(id) }));
  const time = (pools: readonly Pool[], turn: number) => {
    const start = performance.now();
    engine.patch({ pools, removed: [] }, views[turn % 2]!, market.at);
    return performance.now() - start;
  };
  const one = (kinds: readonly string[]) => {
    const pools = market.pools.filter(({ protocol }) => kinds.includes(protocol));
    if (pools.length === 0) return Number.NaN;
    const times = Array.from({ length: SINGLES }, (_, turn) => time([rng.pick(pools)], turn));
    return quantileOf(times.slice(SINGLES / 2), 0.5) * 1000;
  };
  const block = () =>
    market.pools.length <= BLOCK
      ? market.pools
      : Array.from({ length: BLOCK }, () => market.pools[rng.below(market.pools.length)]!);
  const patchUs = {
    v2: one(["uniswap-v2"]),
    v3: one(["uniswap-v3"]),
    sampled: one(["curve-stable", "balancer-v2"]),
  };
  const blocks = Array.from({ length: BLOCKS }, (_, turn) => time(block(), turn));
  const patchMs = quantileOf(blocks.slice(BLOCKS / 2), 0.5);
  time(market.pools, 1);
  return { patchMs, patchUs };
}

function afterSmallSwap(market: Market, registry: Registry, pool: Pool): unknown {
  const state = market.states.get(pool.id);
  const { quote } = registry.get(pool.protocol)!;
  for (const amount of amountsToTry(state as Held)) {
    try {
      const fill = quote(market.states, pool, 0, 1, amount, "in", market.at);
      if (fill !== undefined) return fill.writes[0]![1];
    } catch {
      break; // A state that makes the design throw is the engine's to set aside; here it stays as it is.
    }
  }
  return { ...(state as object) };
}

type Held = { readonly reserves?: bigint[]; readonly balances?: bigint[]; readonly liquidity?: bigint };

/** A thousandth of what the pool holds, where it fills that. */
function amountsToTry({ reserves, balances, liquidity }: Held): bigint[] {
  const held = (reserves ?? balances)?.[0] ?? liquidity ?? 0n;
  return [held / 1000n, held / 1_000_000n, 1000n].filter((amount) => amount > 0n);
}
