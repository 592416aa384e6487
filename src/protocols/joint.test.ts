import fc from "fast-check";
import { expect, test } from "vitest";
import { noJoint } from "../core/math/sampling/joint-curves.ts";
import type { Curve, Joint, Protocol } from "../core/protocol.ts";
import type { StateId, View } from "../core/types.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/** Designs whose joint node covers only trades beyond the limits of one swap; see bounds.test.ts. */
const UNLIMITED_ONLY = ["balancer-v3", "woofi"];
/** Designs with joint nodes; for all others, curves of pairs describe a pool completely. */
const JOINED = [...protocols].flatMap(([name, { joint }]) =>
  joint === noJoint || UNLIMITED_ONLY.includes(name) ? [] : [name],
);
const RUNS = 600;

function along({ x, y, m, c }: Curve, sold: number): number {
  let k = x.length - 1;
  while (k > 0 && x[k]! > sold) k--;
  const h = sold - x[k]!;
  return y[k]! + (m[k]! * h) / (1 + c[k]! * h);
}

/** Units of the node that buy an output of `paid`. */
function needed(curve: Curve, paid: number): number {
  let [low, high] = [0, curve.end];
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2;
    if (along(curve, middle) < paid) low = middle;
    else high = middle;
  }
  return high;
}

type Sale = { readonly from: number; readonly to: number; readonly part: number };

/**
 * Amounts per coin given to a pool by consecutive exact sales, from coins with an even index to coins with an odd
 * one, so that no coin is both sold and bought.
 */
function traded({ pool, states, at }: Subject, protocol: Protocol, sales: readonly Sale[]): Float64Array {
  const held = (states.get(pool.stateIds[0]) as { balances: readonly bigint[] }).balances;
  const written = new Map<StateId, unknown>(states);
  const view: View = { get: (id) => written.get(id) };
  const given = new Float64Array(pool.tokens.length);
  for (const { from, to, part } of sales) {
    const [i, j] = [((2 * from) % pool.tokens.length) & ~1, ((2 * to) % (pool.tokens.length - 1)) | 1];
    const amount = BigInt(Math.floor(Number(held[i]!) * part));
    const fill = protocol.quote(view, pool, i, j, amount, "in", at);
    if (fill === undefined) continue;
    for (const [id, state] of fill.writes) written.set(id, state);
    given[i]! += Number(amount);
    given[j]! -= Number(fill.amountOut);
  }
  return given;
}

/** Units of the node that the sales bring, including `free`, and units that their outputs take. */
function balance(joint: Joint, given: Float64Array): { brought: number; taken: number } {
  let [brought, taken] = [joint.free, 0];
  for (const [k, amount] of given.entries()) {
    if (amount > 0) brought += along(joint.into[k]!, amount);
    if (amount < 0) taken += needed(joint.outOf[k]!, -amount);
  }
  return { brought, taken };
}

/** Whether anything is traded, and no more of a coin than one sale may trade in a weighted pool. */
function isModest(given: Float64Array, held: readonly bigint[]): boolean {
  const shares = held.map((balance, k) => Math.abs(given[k]!) / Number(balance));
  return Math.max(...shares) > 0 && Math.max(...shares) < 0.25;
}

const sales = fc.array(
  fc.record({
    from: fc.nat(20),
    to: fc.nat(20),
    part: fc.double({ min: 1e-3, max: 0.05, noNaN: true }),
  }),
  { minLength: 2, maxLength: 4 },
);

test.each(JOINED)(
  "%s: a pool as one good never pays less than its pairs together, and no more where it is drawn",
  async (name) => {
    const protocol = protocols.get(name)!;
    const { subjects } = (await import(`./${name}/arbitrary.ts`)) as { subjects: fc.Arbitrary<Subject> };
    let seen = 0;
    fc.assert(
      fc.property(subjects, sales, (subject, wanted) => {
        const { pool, states, at, outputFee = 0 } = subject;
        const state = states.get(pool.stateIds[0]) as { balances: readonly bigint[]; swapFee?: bigint };
        if (pool.tokens.length < 3 || pool.tokens.length !== state.balances.length) return;
        const mirror = protocol.mirror(state, pool, at, { get: (id) => states.get(id) });
        const given = traded(subject, protocol, wanted);
        const nowhere = protocol.joint(mirror, new Float64Array(given.length), true);
        const there = protocol.joint(mirror, given, true);
        if (nowhere === undefined || there === undefined || !isModest(given, state.balances)) return;
        seen++;
        // A fee that an earlier sale leaves in the pool slightly helps or hinders a later one; joint nodes ignore
        // that.
        const loose = 1e-5 + 0.2 * Math.max(outputFee, Number(state.swapFee ?? 0n) / 1e18);
        for (const joint of [nowhere, there]) {
          const { brought, taken } = balance(joint, given);
          expect(taken).toBeLessThanOrEqual(brought * (1 + loose));
        }
        const { brought, taken } = balance(there, given);
        const unit = Math.max(...there.into.map(({ m }) => m[0]!));
        expect(brought).toBeLessThanOrEqual(taken * (1 + 1e-4 + loose) + 100 * unit);
      }),
      { numRuns: RUNS, seed: 1 },
    );
    expect(seen).toBeGreaterThan(RUNS / 10);
  },
);

test("pools of several coins are one good in the designs whose invariant is a sum over them", () => {
  expect(JOINED).toEqual(expect.arrayContaining(["balancer-v2", "curve-stable"]));
});
