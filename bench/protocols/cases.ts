import fc from "fast-check";
import type { Protocol } from "../../src/core/protocol.ts";
import type { Subject } from "../../src/protocols/subject.ts";

/** One question that the pool can fill, with its mirror beside it. */
export type Case = {
  readonly subject: Subject;
  readonly mirror: unknown;
  readonly i: number;
  readonly j: number;
  readonly exact: bigint;
  readonly float: number;
  /** Gas units of the fill. */
  readonly gas: number;
};

export type Sample = { readonly states: number; readonly seed: number };

const SIZES = 8;

/** Random pools of a design, each asked for amounts from a millionth of what it can pay up to nearly all of it. */
export async function casesFor(protocol: Protocol, { states, seed }: Sample): Promise<Case[]> {
  const { subjects } = (await import(`../../src/protocols/${protocol.name}/arbitrary.ts`)) as {
    subjects: fc.Arbitrary<Subject>;
  };
  const sample = fc.sample(subjects, { seed, numRuns: states });
  return sample.flatMap((subject, at) => casesOf(protocol, subject, at));
}

function casesOf(protocol: Protocol, subject: Subject, at: number): Case[] {
  const state = subject.states.get(subject.pool.stateIds[0]);
  const mirror = protocol.mirror(state, subject.pool, subject.at, subject.states);
  const count = subject.pool.tokens.length;
  const i = at % count;
  const j = (i + 1) % count;
  const depth = depthOf(protocol, mirror, i, j);
  return Array.from({ length: SIZES }, (_, k) => depth * 10 ** (-6 + (5.8 * k) / (SIZES - 1)))
    .filter((float) => float >= 1 && float < 2 ** 250)
    .flatMap((float) => {
      const exact = BigInt(Math.floor(float));
      const fill = protocol.quote(subject.states, subject.pool, i, j, exact, "in", subject.at);
      return fill ? [{ subject, mirror, i, j, exact, float: Math.floor(float), gas: fill.gas }] : [];
    });
}

/** The input that halves the price where the curve goes on for ever, else all that it takes. */
function depthOf(protocol: Protocol, mirror: unknown, i: number, j: number): number {
  const curve = protocol.curve(mirror, i, j);
  if (curve === undefined) return 1e18;
  const last = curve.x.length - 1;
  const reach = curve.c[last]! > 0 ? curve.x[last]! + 1 / curve.c[last]! : 1e24;
  return Math.min(curve.end, reach);
}
