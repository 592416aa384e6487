import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { exchange } from "./exchange.ts";
import type { State } from "./state.ts";

const FIELDS = [
  ...["reserves", "basePrice", "priceOracle", "fee", "adminFee", "adminFeesX", "adminFeesY"],
  ...["activeBand", "minBand", "maxBand", "bands", "availableBalances", "A", "useDynamicFee"],
];

function bandsOf(fields: Fields, active: number): Pick<State, "first" | "x" | "y"> {
  const bands = list(fields.bands).map((band) => {
    const { i, x, y } = understood(band, ["i", "x", "y"]);
    return { n: Number(integer(i)), x: integer(x), y: integer(y) };
  });
  const numbers = [active, ...bands.map(({ n }) => n)];
  const first = Math.min(...numbers);
  const x = Array.from({ length: Math.max(...numbers) - first + 1 }, () => 0n);
  const y = x.slice();
  for (const band of bands) {
    x[band.n - first] = band.x;
    y[band.n - first] = band.y;
  }
  return { first, x, y };
}

function stateOf(vector: Vector): State {
  const fields = understood(vector.state, FIELDS);
  const precisions = list(vector.pool.tokens).map(
    (token) => 10n ** (18n - integer((token as Fields).decimals)),
  );
  const activeBand = Number(integer(fields.activeBand));
  if (typeof fields.useDynamicFee !== "boolean") throw new NotUnderstood("useDynamicFee is no boolean");
  return {
    a: integer(fields.A),
    generation: fields.useDynamicFee ? 2025 : 2023,
    basePrice: integer(fields.basePrice),
    price: integer(fields.priceOracle),
    fee: integer(fields.fee),
    adminFee: integer(fields.adminFee),
    activeBand,
    minBand: Number(integer(fields.minBand)),
    maxBand: Number(integer(fields.maxBand)),
    ...bandsOf(fields, activeBand),
    isWhole: true,
    precisions: [precisions[0]!, precisions[1]!],
    readAt: 0,
  };
}

/** Compares outputs. If the bands run out the contract takes less than offered, which counts as a right answer here. */
export const suite: VectorSuite = {
  names: ["curve-llamma", "curve-llamma-lending"],
  open(vector) {
    const state = stateOf(vector);
    return (swap) => {
      if (swap.kind !== "exactIn") throw new NotUnderstood("only what is sold is asked here");
      const amount = asked(swap);
      const done = exchange(state, { i: tokenIndex(vector, swap.tokenIn), amount });
      return complaint(swap, done && { amountIn: amount, amountOut: done.amountOut });
    };
  },
};
