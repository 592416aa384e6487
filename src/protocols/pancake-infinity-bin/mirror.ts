import { type BinMirror, type BinSide, binRate, binSide } from "../../core/math/bins/bin-mirror.ts";
import { binAt, type State } from "./state.ts";

export function mirror(state: State): BinMirror {
  return [sideOf(state, true), sideOf(state, false)];
}

function sideOf(state: State, swapForY: boolean): BinSide {
  const paid: number[] = [];
  const rates: number[] = [];
  const { activeId, first, entered } = state;
  const step = swapForY ? -1 : 1;
  for (let id = activeId; entered[id - first] !== undefined; id += step) {
    if (id !== activeId && !entered[id - first]) continue;
    const bin = binAt(state, id, swapForY);
    if (bin === undefined) break;
    if (bin.reserveOut === 0n) continue;
    paid.push(Number(bin.reserveOut));
    rates.push(binRate(bin.price, bin.fee, swapForY));
  }
  return binSide(paid, rates);
}
