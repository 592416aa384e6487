import fc from "fast-check";
import { ONE, type Side } from "../../core/math/pairs/dodo-math.ts";
import type { Subject } from "../subject.ts";
import type { Kind, State } from "./state.ts";

const POOL = "0x00000000000000000000000000000000000000dd";

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  const { kind } = state;
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "dodo",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { kind },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    roundings: roundingsOf(state),
    favour: roundingsOf(state),
    outputFee: Number(state.lpFee + state.mtFee) / 1e18,
  };
}

/**
 * Ratios are rounded to 18 decimals, so the error of a large pool is a fraction of its reserve, and larger as k
 * approaches 0 or 1. A unit of one token may be worth many of the other.
 */
function roundingsOf({ i, k, base, quote, baseTarget, quoteTarget }: State): number {
  const bend = Number(k) / 1e18;
  const ends = Math.max(bend > 0 ? 1 / bend : 1, bend < 1 ? 1 / (1 - bend) : 1);
  const most = Math.max(...[base, quote, baseTarget, quoteTarget].map(Number));
  const price = Number(i) / 1e18;
  return Math.ceil((16 + most / 1e17) * ends * Math.max(price, 1 / price));
}

const modern: readonly Kind[] = ["dvm", "dpp", "dsp"];
const sides: readonly Side[] = ["one", "above", "below"];

/** Pools of about 10^15 units per side, up to ten times less or more, at prices not far from one. */
const states = (kinds: readonly Kind[], k: fc.Arbitrary<bigint>, leastFee: bigint): fc.Arbitrary<State> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      side: fc.constantFrom(...sides),
      baseTarget: fc.bigInt({ min: 10n ** 14n, max: 10n ** 16n }),
      quoteTarget: fc.bigInt({ min: 10n ** 14n, max: 10n ** 16n }),
      i: fc.bigInt({ min: ONE / 8n, max: 8n * ONE }),
      k,
      spent: fc.bigInt({ min: 1n, max: 90n }),
      lpFee: fc.bigInt({ min: leastFee, max: ONE / 50n }),
      mtFee: fc.bigInt({ min: 0n, max: ONE / 500n }),
    })
    .map(({ kind, side, spent, ...rest }) => poolIn(kind, side, spent, rest));

type Targets = Pick<State, "baseTarget" | "quoteTarget" | "i" | "k" | "lpFee" | "mtFee">;

/** A pool whose short side has paid out `spent` percent of its target, for its worth in the other token. */
function poolIn(kind: Kind, side: Side, spent: bigint, targets: Targets): State {
  const { baseTarget, quoteTarget, i } = targets;
  const gone = (target: bigint) => (target * spent) / 100n;
  const held = { base: baseTarget, quote: quoteTarget };
  if (kind !== "dvm" && side === "above") {
    held.base -= gone(baseTarget);
    held.quote += (gone(baseTarget) * i) / ONE;
  }
  if (kind !== "dvm" && side === "below") {
    held.base += (gone(quoteTarget) * ONE) / i;
    held.quote -= gone(quoteTarget);
  }
  // Beyond these limits the last units of a reserve cost without bound, and so does rounding.
  const room = [held.base + (2n * quoteTarget * ONE) / i, held.quote + (2n * baseTarget * i) / ONE] as const;
  const own = kind === "dvm" ? ({ baseTarget: 0n, quoteTarget: 0n, side: "above" } as const) : { side };
  return { kind, ...targets, ...held, ...own, limits: room, open: true, readFor: 1, readAt: 1 };
}

const bends = fc.oneof(
  fc.constant(ONE),
  fc.constant(0n),
  fc.bigInt({ min: ONE / 100n, max: (ONE * 9n) / 10n }),
);

/** Pools of v1, to which only base can be sold. */
export const classicalSubjects: fc.Arbitrary<Subject> = states(
  ["classical"],
  fc.bigInt({ min: ONE / 1000n, max: ONE / 2n }),
  ONE / 1000n,
).map(subjectOf);

export const subjects: fc.Arbitrary<Subject> = fc.oneof(
  { arbitrary: states(modern, bends, 0n).map(subjectOf), weight: 3 },
  { arbitrary: classicalSubjects, weight: 2 },
);
