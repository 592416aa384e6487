import { knownBinPrice } from "../../core/math/bins/bin-math.ts";
import { type BinMirror, type BinSide, binRate, binSide, CLOSED } from "../../core/math/bins/bin-mirror.ts";
import type { At, Pool } from "../../core/types.ts";
import { accumulatorAt, feeAt, referencesAt, type State, type Volatility } from "./state.ts";

/** The mirror of a state in one block, since the fee depends on the time. */
export function mirror(state: State, _pool: Pool, at: At): BinMirror {
  const references = referencesAt(state, at.timestamp);
  if (references === undefined) return [CLOSED, CLOSED];
  return [sideOf(state, references, true), sideOf(state, references, false)];
}

function sideOf(state: State, references: Volatility, swapForY: boolean): BinSide {
  const paid: number[] = [];
  const rates: number[] = [];
  const reserves = swapForY ? state.ys : state.xs;
  const step = swapForY ? -1 : 1;
  for (let id = state.activeId; reserves[id - state.first] !== undefined; id += step) {
    const reserve = Number(reserves[id - state.first]);
    if (reserve === 0) continue;
    const rate = rateOf(state, references, swapForY, id);
    if (rate === undefined) break;
    paid.push(reserve);
    rates.push(rate);
  }
  return binSide(paid, rates);
}

/** Output units per input unit of a bin, net of its fee; undefined if the contract reverts. */
function rateOf(
  { parameters }: State,
  references: Volatility,
  swapForY: boolean,
  id: number,
): number | undefined {
  const price = knownBinPrice(id, parameters);
  const fee = feeAt(accumulatorAt(id, references, parameters.maxVolatility), parameters);
  return price === undefined || fee === undefined ? undefined : binRate(price, fee, swapForY);
}
