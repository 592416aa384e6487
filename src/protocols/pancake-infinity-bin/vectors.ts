import { unhooked } from "../shared/pool-managers/infinity-vectors.ts";
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
  type VectorSuite,
  type VectorSwap,
} from "../swapvec.ts";
import { POOL } from "./arbitrary.ts";
import type { State } from "./state.ts";
import { swapBins } from "./trade.ts";

const small = (value: unknown): number => Number(integer(value));

/** @throws NotUnderstood if a bin is listed twice, or the fees are not the contract's */
function stateOf(fields: Fields): State {
  unhooked(fields.hooks);
  const bins = list(fields.bins).map((bin) =>
    understood(bin, ["id", "reserveX", "reserveY"], ["totalShares"]),
  );
  const ids = bins.map((bin) => small(bin.id));
  const activeId = small(fields.activeId);
  if (new Set(ids).size !== ids.length) throw new NotUnderstood("a bin is listed twice");
  const first = Math.min(activeId, ...ids);
  const none = Array.from({ length: Math.max(activeId, ...ids) - first + 1 }, () => 0n);
  const [xs, ys, entered] = [[...none], [...none], none.map(() => false)];
  for (const [k, bin] of bins.entries()) {
    xs[ids[k]! - first] = integer(bin.reserveX);
    ys[ids[k]! - first] = integer(bin.reserveY);
    entered[ids[k]! - first] = bin.totalShares === undefined || integer(bin.totalShares) > 1000n;
  }
  const { zeroForOne, oneForZero } = understood(fields.protocolFee, ["zeroForOne", "oneForZero"]);
  return {
    manager: POOL.manager,
    shape: { binStep: small(fields.binStep) },
    feePpm: small(fields.lpFee),
    protocolFees: [small(zeroForOne), small(oneForZero)],
    activeId,
    first,
    xs,
    ys,
    entered,
  };
}

/** What the swap asks for. The contract's sign is the other way round than v3's: negative sells. */
function amountOf(swap: VectorSwap): bigint {
  const { amountSpecified } = swap.fields;
  if (amountSpecified === undefined) return asked(swap);
  const amount = integer(amountSpecified);
  return amount < 0n ? -amount : amount;
}

export const suite: VectorSuite = {
  names: ["pancake-infinity-bin"],
  open(vector): Trial {
    const needed = ["activeId", "binStep", "lpFee", "protocolFee", "bins"];
    let state = stateOf(understood(vector.state, needed, ["hooks", "unit"]));
    return (swap) => {
      const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
      if (i === j || i > 1 || j > 1) throw new NotUnderstood("not a pair");
      const order = { swapForY: i === 0, amount: amountOf(swap), isSale: swap.kind === "exactIn" };
      const done = swapBins(state, order);
      if (vector.sequential && done !== undefined) state = done.next;
      return complaint(swap, done);
    };
  },
};
