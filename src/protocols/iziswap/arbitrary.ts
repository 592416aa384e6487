import fc from "fast-check";
import { sqrtPriceAtTick } from "../../core/math/concentrated/tick-math.ts";
import type { Subject } from "../subject.ts";
import { emptyMark, LAST_POINT, type Mark, type State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000012b1";

/** A pool as the subject of property tests. */
export function subjectOf(state: State): Subject {
  const s = sqrtPriceAtTick(state.point);
  const span = Math.max(0, ...state.marks.map(({ point }) => Math.abs(point - state.point)));
  // A unit of liquidity is s of Y or 1/s of X, a unit of an order's output 1/s² of X or s² of Y.
  const grain = Math.max(s, 1 / s) ** 2 * sqrtPriceAtTick(2 * span);
  const rounds = state.marks.length * 4 + Math.ceil(span / state.spacing / 256) + 4;
  return {
    pool: {
      ...{ id: POOL, address: POOL, protocol: "iziswap", deployment: "arbitrary" },
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { feePpm: state.feePpm, spacing: state.spacing },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // Inputs of less than a thousand grains may be refused.
    roundings: Math.ceil(1024 + rounds * grain),
  };
}

type Position = { readonly left: number; readonly width: number; readonly liquidity: bigint };
type Order = { readonly distance: number; readonly amount: bigint };

/** Changes of liquidity at the ends of positions, and limit orders: of Y below the price, of X above it. */
function marksOf(layout: Layout): readonly Mark[] {
  const marks = new Map<number, Mark>();
  const put = (slot: number, change: (mark: Mark) => Partial<Mark>) => {
    const point = slot * layout.spacing;
    const known = marks.get(point) ?? emptyMark(point);
    marks.set(point, { ...known, ...change(known) });
  };
  const slot = Math.floor(layout.point / layout.spacing);
  for (const { left, width, liquidity } of layout.positions) {
    put(slot + left, ({ delta }) => ({ isEndpoint: true, delta: delta + liquidity }));
    put(slot + left + width, ({ delta }) => ({ isEndpoint: true, delta: delta - liquidity }));
  }
  for (const { distance, amount } of layout.orders)
    put(slot + distance, () => (distance > 0 ? { sellsX: amount } : { sellsY: amount }));
  return [...marks.values()].sort((one, other) => one.point - other.point);
}

const liquidity = fc
  .integer({ min: 40, max: 70 })
  .chain((bits) => fc.bigInt({ min: 2n ** 40n, max: 2n ** BigInt(bits) }));

const layouts = fc.record({
  fee: fc.constantFrom([100, 1], [400, 8], [2_000, 40], [10_000, 200]),
  point: fc.integer({ min: -60_000, max: 60_000 }),
  reach: fc.constantFrom(20, 300),
  positions: fc.array(
    fc.tuple(
      fc.double({ min: -1, max: 0.5, noNaN: true }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      liquidity,
    ),
    { minLength: 1, maxLength: 6 },
  ),
  orders: fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), liquidity), { maxLength: 6 }),
  part: fc.integer({ min: 0, max: 8 }),
});

type Layout = {
  readonly spacing: number;
  readonly point: number;
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
};

/** Positions around the price, some with gaps between them, and limit orders, some at ends of positions. */
export const states: fc.Arbitrary<State> = layouts.map(
  ({ fee: [feePpm, spacing], point, reach, part, ...drawn }) => {
    const positions = drawn.positions.map(([left, width, liquidity]) => ({
      ...{ left: Math.round(left * reach), width: Math.ceil(width * reach), liquidity },
    }));
    const orders = drawn.orders.map(([distance, amount]) => ({
      distance: Math.round(distance * reach),
      amount,
    }));
    const marks = marksOf({ spacing: spacing as number, point, positions, orders });
    const held = marks.reduce((sum, mark) => (mark.point <= point ? sum + mark.delta : sum), 0n);
    return {
      ...{ feePpm: feePpm as number, spacing: spacing as number, point },
      ...{ liquidity: held, liquidityX: (held * BigInt(part)) / 8n },
      ...{ lowest: -LAST_POINT, highest: LAST_POINT, marks },
    };
  },
);

/** Price, point, fee and spacing must agree. */
export const hasUnguessedReads = true;

/** A curve joins the ends of points of constant price, half of whose distance this is. */
export const curveError = 5.1e-5;

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
