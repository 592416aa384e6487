import type { Protocol, Registry } from "../../../src/core/protocol.ts";
import type { Fill, Pool, StateId } from "../../../src/core/types.ts";
import { balancerV2 } from "../../../src/protocols/balancer-v2/index.ts";
import { curveStable } from "../../../src/protocols/curve-stable/index.ts";
import { uniswapV2 } from "../../../src/protocols/uniswap-v2/index.ts";
import { uniswapV3 } from "../../../src/protocols/uniswap-v3/index.ts";
import type { Market } from "./market.ts";

/** Gas units that every route pays once. */
export const ROUTE_GAS = 31_000;
const V2_GAS = 60_000;
const V3_GAS = 70_000;
export const TICK_GAS = 20_000;
const STABLE_GAS = 110_000;
const WEIGHTED_GAS = 85_000;

type Legs = {
  readonly typical: number;
  readonly tick: number;
  readonly of: (fill: Fill, before: unknown, id: StateId) => number;
};

const flat = (gas: number): Legs => ({ typical: gas, tick: 0, of: () => gas });

/** Gas units of a leg, ticks that it crosses not counted. */
export function typicalGas({ gas }: Market, pool: Pool): number {
  return gas.get(pool.id) ?? typical.get(pool.protocol) ?? 0;
}

type Ticked = { readonly tick: number; readonly ticks: readonly number[] };

/** Ticks are counted between the pool's states: the design's own gas counts more than them. */
const ticked: Legs = {
  typical: V3_GAS,
  tick: TICK_GAS,
  of: ({ writes }, before, id) => {
    const from = before as Ticked;
    const after = [...writes].find(([written]) => written === id)?.[1] as Ticked | undefined;
    const [low, high] = [from.tick, after?.tick ?? from.tick].sort((a, b) => a - b) as [number, number];
    return V3_GAS + TICK_GAS * from.ticks.filter((tick) => tick > low && tick <= high).length;
  },
};

const typical: ReadonlyMap<string, number> = new Map([
  [uniswapV2.name, V2_GAS],
  [uniswapV3.name, V3_GAS],
  [curveStable.name, STABLE_GAS],
  [balancerV2.name, WEIGHTED_GAS],
]);

/** The designs of the bench, with its gas model in place of their own. */
export function benchRegistry(market: Market): Registry {
  return new Map<string, Protocol>([
    [uniswapV2.name, charge(market, uniswapV2 as Protocol, flat(V2_GAS))],
    [uniswapV3.name, charge(market, uniswapV3 as Protocol, ticked)],
    [curveStable.name, charge(market, curveStable as Protocol, flat(STABLE_GAS))],
    [balancerV2.name, charge(market, balancerV2 as Protocol, flat(WEIGHTED_GAS))],
  ]);
}

function charge({ gas: own }: Market, protocol: Protocol, legs: Legs): Protocol {
  const stated = new WeakMap<object, number>();
  return {
    ...protocol,
    mirror(state, pool: Pool, at, view) {
      const mirror = protocol.mirror(state, pool, at, view);
      const gas = own.get(pool.id);
      if (gas !== undefined) stated.set(mirror as object, gas);
      return mirror;
    },
    gas: (mirror) => stated.get(mirror as object) ?? legs.typical,
    boundaryGas: (mirror) => (stated.has(mirror as object) ? 0 : legs.tick),
    quote: (...[view, pool, i, j, amount, side, at]) => {
      const fill = protocol.quote(view, pool, i, j, amount, side, at);
      if (fill === undefined) return undefined;
      const gas = own.get(pool.id) ?? legs.of(fill, view.get(pool.id), pool.id);
      return { amountIn: fill.amountIn, amountOut: fill.amountOut, gas, writes: fill.writes };
    },
  };
}

/** What gas costs in one order. */
export type GasPrice = {
  /** Wei a unit of gas; 0 where gas is free. */
  readonly wei: number;
  /** Wei that the smallest unit of the token bought is worth; undefined where nothing joins it to the native coin. */
  readonly nativePerOut: number | undefined;
};

/** Units of the token bought that one unit of gas costs; 0 where gas is free or has no price. */
export function gasPriceOut({ wei, nativePerOut }: GasPrice): number {
  return nativePerOut === undefined ? 0 : wei / nativePerOut;
}

/** Gas of a whole route in smallest units of the token bought, rounded up. */
export function gasCost(legGas: number, priceOut: number): { gasUnits: number; gas: bigint } {
  const gasUnits = ROUTE_GAS + legGas;
  const cost = gasUnits * priceOut;
  return { gasUnits, gas: cost > 0 && cost < Number.MAX_VALUE ? BigInt(Math.ceil(cost)) : 0n };
}
