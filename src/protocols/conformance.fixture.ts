import fc from "fast-check";
import { expect } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import type { Hex, Side, View } from "../core/types.ts";
import type { Subject } from "./subject.ts";

export const limits = { numRuns: 300 };

/** Amounts of all orders of magnitude, equally likely. */
export const amount = fc
  .integer({ min: 0, max: 120 })
  .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

export type Direction = { readonly i: number; readonly j: number };

export type Case = { readonly s: Subject; readonly d: Direction; readonly x: bigint; readonly more: bigint };

export function direction(subject: Subject, seed: number): Direction {
  const count = subject.pool.tokens.length;
  const i = seed % count;
  return { i, j: (i + 1 + (Math.floor(seed / count) % (count - 1))) % count };
}

export function ask(p: Protocol, s: Subject, { i, j }: Direction, [x, side, view]: [bigint, Side, View?]) {
  return p.quote(view ?? s.states, s.pool, i, j, x, side, s.at);
}

export function overlay(s: Subject, writes: readonly (readonly [string, unknown])[]): View {
  return new Map([...s.states, ...writes]);
}

export function mirrorOf(p: Protocol, s: Subject): unknown {
  return p.mirror(s.states.get(s.pool.stateIds[0]), s.pool, s.at, s.states);
}

/** Exports of a design's `arbitrary.ts` for the tests of all designs. */
type Arbitraries = {
  readonly subjects: fc.Arbitrary<Subject>;
  /** Selectors that its contracts may lack: a revert is then a valid answer. */
  readonly mayLack?: readonly Hex[];
  /**
   * Guessed answers never give a valid state. The design's own tests then cover failing reads and announcements by
   * other factories.
   */
  readonly isBeyondGuesses?: boolean;
  /** As `isBeyondGuesses`, but guessed logs announce pools. */
  readonly hasUnguessedReads?: boolean;
  /** Curves of many segments are scaled from a sampled curve of the same shape. */
  readonly hasScaledCurves?: boolean;
  /** Largest part by which curves differ from the float quote; 1e-9 if absent. */
  readonly curveError?: number;
  /** Float quotes round as the contract does, and curves do not. */
  readonly roundsMirror?: boolean;
  /** Growth factors of inputs, other than the usual one, with which curves are sampled. */
  readonly curveScans?: readonly number[];
};

export async function arbitrariesOf({ name }: Protocol): Promise<Arbitraries> {
  return (await import(`./${name}/arbitrary.ts`)) as Arbitraries;
}

/** The random pools of a design. */
export async function subjectsOf(p: Protocol): Promise<fc.Arbitrary<Subject>> {
  return (await arbitrariesOf(p)).subjects;
}

/** The second amount of a case over the first: any amount, or one within 20 bits of the first, since both are to be filled. */
const ratioBits = fc.option(fc.integer({ min: -20, max: 20 }));

function scaled(amount: bigint, bits: number): bigint {
  return bits < 0 ? 1n + (amount >> BigInt(-bits)) : amount << BigInt(bits);
}

/**
 * Of 300 cases of every design and property at least 30 are filled on average (fewest in the halves of `fluid`), so that no more
 * than five are once in forty million runs. A design that fills nothing has none.
 */
const LEAST_FILLED = limits.numRuns / 60;

/**
 * Runs `check` on random cases. `check` returns whether anything was filled; the property fails if too few cases
 * fill.
 */
export function propertyOf(subjects: fc.Arbitrary<Subject>): (check: (c: Case) => boolean) => void {
  const cases = fc
    .record({ s: subjects, seed: fc.nat(), x: amount, any: amount, bits: ratioBits })
    .map(({ s, seed, x, any, bits }) => ({
      s,
      d: direction(s, seed),
      x,
      more: bits === null ? any : scaled(x, bits),
    }));
  return (check) => {
    let filled = 0;
    fc.assert(
      fc.property(cases, (c) => {
        if (check(c)) filled++;
      }),
      limits,
    );
    expect(filled).toBeGreaterThan(LEAST_FILLED);
  };
}
