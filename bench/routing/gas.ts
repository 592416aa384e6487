import type { Protocol, Registry } from "../../src/core/protocol.ts";
import type { Fill, Pool } from "../../src/core/types.ts";
import { balancerV2 } from "../../src/protocols/balancer-v2/index.ts";
import { curveStable } from "../../src/protocols/curve-stable/index.ts";
import { uniswapV2 } from "../../src/protocols/uniswap-v2/index.ts";
import { uniswapV3 } from "../../src/protocols/uniswap-v3/index.ts";
import { wrappedNative } from "../../src/protocols/wrapped-native/index.ts";
import type { Market } from "./market.ts";

/** Gas units that every route pays once. */
export const ROUTE_GAS = 31_000;
const V2_GAS = 60_000;
const V3_GAS = 70_000;
const TICK_GAS = 20_000;
const STABLE_GAS = 110_000;
const WEIGHTED_GAS = 85_000;

type Legs = { readonly typical: number; readonly of: (fill: Fill) => number };

const flat = (gas: number): Legs => ({ typical: gas, of: () => gas });

/** The design's own figures differ from the bench's by a constant only: what is above the least counts ticks. */
function ticked(least: number): Legs {
  return { typical: V3_GAS, of: (fill) => V3_GAS + TICK_GAS * Math.round((fill.gas - least) / TICK_GAS) };
}

/** The designs of the bench with its gas model in place of their own. */
export function benchRegistry(market: Market): Registry {
  const charge = <P extends Protocol>(protocol: P, legs: Legs): Protocol => ({
    ...protocol,
    gas: () => legs.typical,
    quote: (...[view, pool, i, j, amount, side, at]) => {
      const fill = protocol.quote(view, pool, i, j, amount, side, at);
      return fill && { ...fill, gas: gasOf(market, pool) ?? legs.of(fill) };
    },
  });
  return new Map<string, Protocol>([
    [uniswapV2.name, charge(uniswapV2 as Protocol, flat(V2_GAS))],
    [uniswapV3.name, charge(uniswapV3 as Protocol, ticked(70_000))],
    [curveStable.name, charge(curveStable as Protocol, flat(STABLE_GAS))],
    [balancerV2.name, charge(balancerV2 as Protocol, flat(WEIGHTED_GAS))],
    [wrappedNative.name, wrappedNative as Protocol],
  ]);
}

function gasOf(market: Market, pool: Pool): number | undefined {
  return market.gas.get(pool.id);
}
