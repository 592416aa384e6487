import type { Protocol } from "../../../src/core/protocol.ts";
import type { Address, Pool, StateId, View } from "../../../src/core/types.ts";
import { balancerV2 } from "../../../src/protocols/balancer-v2/index.ts";
import { curveStable } from "../../../src/protocols/curve-stable/index.ts";
import { uniswapV2 } from "../../../src/protocols/uniswap-v2/index.ts";
import { uniswapV3 } from "../../../src/protocols/uniswap-v3/index.ts";
import type { State as ConcentratedState } from "../../../src/protocols/uniswap-v3/state.ts";
import type { Leg, OrderResult } from "../market/schema.ts";
import type { Board } from "../orders/board.ts";
import { netOfLegs } from "../report/gaps.ts";
import { dualBounds } from "./dual.ts";

/** Something in a result that does not hold. */
export type Fault = { readonly order: number; readonly what: string };

export type Checked = {
  readonly faults: readonly Fault[];
  /** Bounds that were worked out again. */
  readonly bounds: number;
  /** Largest recomputed bound over the stated one, less 1: above 0 where the stated one is the tighter. */
  readonly loosest: number;
};

/** What doubles lose in a price. */
const ROUNDING = 1e-9;
/** A stated bound that its prices prove only to within this share is still taken for proved. */
const LOOSE = 1e-5;

const ROUTE_GAS = 31_000;

/** The gas model of the bench, said once more: flat by protocol, and by the tick. */
const LEG_GAS = new Map([
  ["uniswap-v2", 60_000],
  ["uniswap-v3", 70_000],
  ["curve-stable", 110_000],
  ["balancer-v2", 85_000],
]);
const TICK_GAS = 20_000;

const protocols = new Map<string, Protocol>(
  [uniswapV2, uniswapV3, curveStable, balancerV2].map((protocol) => [protocol.name, protocol as Protocol]),
);

/**
 * Recomputes results from the market alone: every hop in order in integers, that nothing is taken which was not there,
 * that everything sold arrives, gas and net, and the bound from the stated prices over all pools.
 */
export function verify(board: Board, results: readonly OrderResult[], maxLegs: number): Checked {
  const pools = new Map(board.market.pools.map((pool) => [pool.id, pool]));
  const faults: Fault[] = [];
  let bounds = 0;
  let loosest = Number.NEGATIVE_INFINITY;
  for (const [order, result] of results.entries()) {
    const fault = (what: string) => void faults.push({ order, what });
    if (result.error !== undefined) {
      if (result.route !== undefined) fault("states an error and a route");
      continue;
    }
    checkRoute(board, pools, { result, maxLegs, fault });
    const excess = checkBounds(board, { result, maxLegs, fault });
    if (excess === undefined) continue;
    bounds++;
    loosest = Math.max(loosest, excess);
  }
  return { faults, bounds, loosest };
}

type Case = {
  readonly result: OrderResult;
  readonly maxLegs: number;
  readonly fault: (what: string) => void;
};

function checkRoute(board: Board, pools: ReadonlyMap<string, Pool>, { result, maxLegs, fault }: Case): void {
  const { route = [], tokenIn, tokenOut } = result;
  const held = new Map<string, bigint>([[tokenIn, BigInt(result.amountIn)]]);
  const written = new Map<StateId, unknown>();
  const { states } = board.market;
  const view: View = { get: (id) => (written.has(id) ? written.get(id) : states.get(id)) };
  let gas = ROUTE_GAS;
  for (const [k, leg] of route.entries()) {
    const pool = pools.get(leg.pool);
    if (pool === undefined) {
      fault(`leg ${k}: no pool ${leg.pool} in the market`);
      return;
    }
    const left = (held.get(leg.tokenIn) ?? 0n) - BigInt(leg.amountIn);
    if (left < 0n) fault(`leg ${k}: takes ${-left} more of ${leg.tokenIn} than there is`);
    held.set(leg.tokenIn, left);
    held.set(leg.tokenOut, (held.get(leg.tokenOut) ?? 0n) + BigInt(leg.amountOut));
    const before = view.get(pool.stateIds[0]);
    const paid = cross({ board, pool, view, written }, leg);
    if (paid !== BigInt(leg.amountOut)) fault(`leg ${k}: pays ${paid}, not ${leg.amountOut}`);
    gas += board.market.gas.get(pool.id) ?? gasOf(pool, before, view.get(pool.stateIds[0]));
  }
  for (const [token, amount] of held) {
    const due = token === tokenOut ? BigInt(result.amountOut ?? 0) : 0n;
    if (amount !== due) fault(`ends with ${amount} of ${token}, not ${due}`);
  }
  if (route.length !== result.legs) fault(`states ${result.legs} legs, has ${route.length}`);
  if (maxLegs > 0 && route.length > maxLegs) fault(`${route.length} legs are more than ${maxLegs}`);
  checkGas(result, gas, fault);
}

type Crossing = {
  readonly board: Board;
  readonly pool: Pool;
  readonly view: View;
  readonly written: Map<StateId, unknown>;
};

/** What the pool pays in the state that the legs before left it in; undefined where it refuses. */
function cross({ board, pool, view, written }: Crossing, leg: Leg): bigint | undefined {
  const i = pool.tokens.indexOf(leg.tokenIn as Address);
  const j = pool.tokens.indexOf(leg.tokenOut as Address);
  if (i < 0 || j < 0) return undefined;
  const { at } = board.market;
  const fill = protocols.get(pool.protocol)!.quote(view, pool, i, j, BigInt(leg.amountIn), "in", at);
  if (fill === undefined || fill.amountIn !== BigInt(leg.amountIn)) return undefined;
  for (const [id, state] of fill.writes) written.set(id, state);
  return fill.amountOut;
}

function gasOf(pool: Pool, before: unknown, after: unknown): number {
  const flat = LEG_GAS.get(pool.protocol)!;
  if (pool.protocol !== "uniswap-v3") return flat;
  const [from, to] = [before as ConcentratedState, after as ConcentratedState];
  const [low, high] = [Math.min(from.tick, to.tick), Math.max(from.tick, to.tick)];
  return flat + TICK_GAS * from.ticks.filter((tick) => tick > low && tick <= high).length;
}

function checkGas(
  { amountOut, gas, net, gasUnits, gasPriceOut }: OrderResult,
  units: number,
  fault: Case["fault"],
): void {
  if (gasUnits !== units) fault(`states ${gasUnits} units of gas, uses ${units}`);
  const cost = BigInt(Math.ceil(units * (gasPriceOut ?? 0)));
  if (BigInt(gas ?? -1) !== cost) fault(`states gas ${gas}, not ${cost}`);
  if (BigInt(net ?? 0) !== BigInt(amountOut ?? 0) - cost) fault(`states net ${net}, not amount out less gas`);
}

/** @returns how far the bounds that the prices prove lie above the stated ones, as a share; undefined without any */
function checkBounds(board: Board, { result, maxLegs, fault }: Case): number | undefined {
  if (result.bound == null || result.netBound == null) return undefined;
  const prices = byNode(board, result.prices);
  const [from, to] = [board.nodeOf.get(result.tokenIn)!, board.nodeOf.get(result.tokenOut)!];
  if (!(prices[from]! > 0)) fault(`no price of ${result.tokenIn}, which is sold`);
  if (Math.abs(prices[to]! - 1) > ROUNDING) fault(`the token bought has the price ${prices[to]}`);
  if (BigInt(result.amountOut!) > BigInt(result.bound))
    fault(`pays ${result.amountOut}, over its own bound ${result.bound}`);
  if (netOfLegs(result) > BigInt(result.netBound))
    fault(`nets ${netOfLegs(result)}, over its own bound ${result.netBound}`);
  const gasOut = result.gasPriceOut ?? 0;
  const order = { from, to, amount: Number(result.amountIn), maxLegs, gasOut };
  const stated = { gross: Number(result.bound), net: Number(result.netBound) };
  const proved = dualBounds(board, order, prices, stated);
  const scale = Number(result.bound);
  const gross = Number(result.bound) - proved.gross;
  if (gross < -LOOSE * scale - 1)
    fault(`states the bound ${result.bound}, but its prices prove ${proved.gross} only`);
  const net = dualBounds(board, order, byNode(board, result.netPrices), stated).net;
  if (Number(result.netBound) - net < -LOOSE * scale - 1)
    fault(`states the net bound ${result.netBound}, but its prices prove ${net} only`);
  return Math.max(-gross, net - Number(result.netBound)) / scale;
}

function byNode({ tokens, nodeOf }: Board, prices: OrderResult["prices"] = {}): Float64Array {
  const byNode = new Float64Array(tokens.length);
  for (const [token, price] of Object.entries(prices)) {
    const node = nodeOf.get(token as Address);
    if (node !== undefined) byNode[node] = price;
  }
  return byNode;
}
