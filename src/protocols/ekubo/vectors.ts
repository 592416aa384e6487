import { MAX_TICK, MIN_TICK, priceAtTick, tickAtPrice } from "../../core/math/ekubo/ekubo-price.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  type Trial,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
  type VectorSwap,
} from "../swapvec.ts";
import { type Extension, type State, swap, upTo } from "./state.ts";
import type { CorePool, CoreSwap } from "./swap.ts";

/** What a swap answers, the extension included; partial fills are right answers. */
export const suite: VectorSuite = {
  names: ["ekubo-v1-base", "ekubo-v2", "ekubo-v3"],
  open: (vector) => (vector.protocol === "ekubo-v1-base" ? openFirst(vector) : open(vector)),
};

const COMMON = ["poolKind", "sqrtRatio", "liquidity", "fee"];
const TICKED = ["tickSpacing", "tick", "ticks"];
const ORDERS = ["lastExecutionTime", "token0SaleRate", "token1SaleRate", "saleRateDeltas"];

function open(vector: Vector): Trial {
  const { state } = vector;
  const ticked = state.ticks !== undefined;
  const extra = extraFields(String(state.poolKind));
  understood(
    state,
    [...COMMON, ...(ticked ? TICKED : []), ...extra],
    ["unit", "extension", ...(ticked ? ["ticksComplete"] : ["tick", "tickSpacing"])],
  );
  const table = ticked ? tickedPool(state, "liquidityDelta") : wholeRange;
  return trialOf(vector, stateOf(state, table, extensionOf(state)));
}

/** An early form of the state, with the names that other designs use. */
function openFirst(vector: Vector): Trial {
  const needed = ["sqrtRatio", "liquidity", "fee", "tickSpacing", "activeTick", "ticks"];
  const state = understood(vector.state, needed, ["feeNote"]);
  return trialOf(vector, stateOf(state, tickedPool(state, "liquidityNet"), { kind: "none" }));
}

function extraFields(kind: string): readonly string[] {
  switch (kind) {
    case "concentrated":
    case "full-range":
    case "full-range with oracle extension":
      return [];
    case "mev-capture":
      return [...TICKED, "tickLast"];
    case "ve33":
      return ["ve33Fee"];
    case "twamm":
      return ORDERS;
    default:
      throw new NotUnderstood(`pool kind ${kind}`);
  }
}

function extensionOf(state: Fields): Extension {
  if (state.poolKind === "ve33") return { kind: "ve33", fee: integer(state.ve33Fee) };
  if (state.poolKind === "twamm")
    return {
      kind: "twamm",
      rates: [integer(state.token0SaleRate), integer(state.token1SaleRate)],
      executedAt: Number(integer(state.lastExecutionTime)),
      changes: list(state.saleRateDeltas)
        .map((change) => understood(change, ["time", "delta0", "delta1"]))
        .map(({ time, delta0, delta1 }) => ({
          time: Number(integer(time)),
          by: [integer(delta0), integer(delta1)] as const,
        })),
    };
  if (state.poolKind !== "mev-capture") return { kind: "none" };
  const [tickSpacing, tickLast] = [Number(integer(state.tickSpacing)), Number(integer(state.tickLast))];
  return { kind: "mevCapture", tickSpacing, tickLast };
}

type Table = Pick<CorePool, "ticks" | "nets" | "lowest" | "highest">;

const wholeRange: Table = { ticks: [], nets: [], lowest: MIN_TICK, highest: MAX_TICK };

function tickedPool(state: Fields, net: string): Table {
  const ticks = list(state.ticks).map((tick) => understood(tick, ["index", net]));
  const indexes = ticks.map((tick) => Number(integer(tick.index)));
  if (indexes.some((index, k) => k > 0 && index <= indexes[k - 1]!))
    throw new NotUnderstood("ticks are not in order");
  const window = state.ticksComplete === false;
  return {
    ticks: indexes,
    nets: ticks.map((tick) => integer(tick[net])),
    lowest: window ? (indexes[0] ?? MIN_TICK) : MIN_TICK,
    highest: window ? (indexes.at(-1) ?? MAX_TICK) : MAX_TICK,
  };
}

function stateOf(state: Fields, table: Table, extension: Extension): State {
  const price = integer(state.sqrtRatio);
  const liquidity = integer(state.liquidity);
  const named = state.tick ?? state.activeTick;
  const tick = named === undefined ? tickAtPrice(price) : Number(integer(named));
  return {
    ...table,
    price,
    tick: fitting(table, tick, price, liquidity),
    liquidity,
    fee: integer(state.fee),
    extension,
    readAt: 0,
  };
}

/**
 * The tick that the liquidity in range belongs to. At the very price of a tick, the core's tick is one lower after a
 * fall; a vector that names the price's tick means that one if its liquidity is that below the tick.
 */
function fitting({ ticks, nets }: Table, tick: number, price: bigint, liquidity: bigint): number {
  const at = ticks.indexOf(tick);
  if (at < 0 || price !== priceAtTick(tick)) return tick;
  const below = nets.slice(0, at).reduce((sum, net) => sum + net, 0n);
  return below === liquidity && nets[at] !== 0n ? tick - 1 : tick;
}

function trialOf(vector: Vector, start: State): Trial {
  let state = start;
  const timestamp = timeOf(vector, start);
  return (one) => {
    const exactOut = one.kind === "exactOut";
    const amount = amountOf(one);
    const isToken1 = (directionOf(vector, one) === 1) !== exactOut;
    const done = swap(state, isToken1, exactOut ? -amount : amount, timestamp);
    if (vector.sequential && done !== undefined) {
      const { price, tick, liquidity } = done;
      state = { ...upTo(state, timestamp)!, price, tick, liquidity };
    }
    if (one.mustFail) return complaint(one, fails(done) ? undefined : done);
    return complaint(one, done) ?? (done && moreComplaints(one, done));
  };
}

/** Orders over time need the time; the state of other pools is the one that swaps meet. */
function timeOf({ pool }: Vector, { extension }: State): number {
  if (extension.kind !== "twamm") return 0;
  return Number(integer(pool.timestamp));
}

/** What quoters refuse although the core accepts it: nothing is paid, or a part is left. */
function fails(done: CoreSwap | undefined): boolean {
  return done === undefined || done.unfilled !== 0n || done.amountOut <= 0n || done.amountIn <= 0n;
}

function amountOf(one: VectorSwap): bigint {
  const { amountSpecified } = one.fields;
  if (amountSpecified === undefined) return asked(one);
  const amount = integer(amountSpecified);
  return amount < 0n ? -amount : amount;
}

function directionOf(vector: Vector, one: VectorSwap): number {
  const [i, j] = [tokenIndex(vector, one.tokenIn), tokenIndex(vector, one.tokenOut)];
  if (i + j !== 1) throw new NotUnderstood("not a pair");
  return i;
}

/** Both amounts are compared if the swap gives `amountSpecified`. */
function moreComplaints({ amountIn, amountOut, fields }: VectorSwap, done: CoreSwap): string | undefined {
  if (fields.amountSpecified === undefined) return undefined;
  if (amountIn !== null && amountIn !== done.amountIn)
    return `expected amountIn ${amountIn}, got ${done.amountIn}`;
  if (amountOut !== null && amountOut !== done.amountOut)
    return `expected amountOut ${amountOut}, got ${done.amountOut}`;
  return undefined;
}
