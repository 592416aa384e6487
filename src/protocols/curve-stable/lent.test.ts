import { expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Address, Deployment, Hex, StateId } from "../../core/types.ts";
import { curveStable } from "./index.ts";
import type { State } from "./state.ts";

const [A, B, C, D, E, F, POOL] = [1, 2, 3, 4, 5, 6, 7].map((k) => `0x${`${k}`.repeat(40)}` as Address);
const at = { blockNumber: 100, timestamp: 1_700_000_000 };
const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const none: Hex = "0x";

/** A cToken at rest: its underlying coins, its units, and decimals of the underlying coin. */
const cToken = (assets: bigint, shares: bigint, digits: number) =>
  [assets, 0n, 0n, shares, 0n, 0n, 100n, digits].map(answer);

type Terms = {
  readonly implementation: string;
  readonly coins: string;
  /** Four words of the ramp, or A alone for the first pools. */
  readonly ramp: readonly number[];
  readonly fees: readonly number[];
  readonly balances: readonly bigint[];
  readonly holdings: readonly (readonly [bigint, bigint, number])[];
};

function poolOf({ implementation, coins, ramp, fees, balances, holdings }: Terms) {
  const deployment: Deployment = {
    ...{ id: "curve", protocol: "curve-stable", name: "Curve", factory: A!, fromBlock: 0, trusted: true },
    facts: { pools: `${POOL} ${implementation} ${coins}` },
    source: "test",
  };
  const pool = curveStable.seeds(deployment)[0]!;
  const isRamp = ramp.length === 4;
  const answers = [
    ...(isRamp ? ramp.map(answer) : [none, none, none, none]),
    ...[...fees.map(answer), none, none, none, none, none, answer(10n ** 18n)],
    isRamp ? none : answer(ramp[0]!),
    ...[...balances.map(answer), ...balances.map(() => answer(8))],
    ...holdings.flatMap((holding) => cToken(...holding)),
  ];
  return { pool, state: curveStable.load(pool, answers, at) as State };
}

/** Outputs of sales of underlying coins one after another. */
function sales(
  { pool, state }: ReturnType<typeof poolOf>,
  swaps: readonly (readonly [number, number, bigint])[],
) {
  let view = new Map<StateId, State>([[POOL!, state]]);
  return swaps.map(([i, j, amount]) => {
    const fill = curveStable.quote(view, pool, i, j, amount, "in", at)!;
    view = new Map([...view, ...(fill.writes as Iterable<[StateId, State]>)]);
    return fill.amountOut;
  });
}

// The amounts are those of the pools' sources, run over cTokens that mint and redeem whole units.

test("a pool that deposits first meets the rates that its deposit leaves", () => {
  const ib = poolOf({
    implementation: "ib",
    coins: `${A},${B},${C}/${D},${E},${F}`,
    ramp: [3500, 3500, 0, 0],
    fees: [3_000_000, 10_000_000_000],
    balances: [824_913_206_340_611n, 360_648_545_191_260n, 3_777_263_945_443n],
    holdings: [
      [350_724_380_970_355_849_626_494n, 824_913_206_340_611n, 18],
      [123_684_053_729n, 360_648_545_191_260n, 6],
      [1_493_558_859n, 3_777_263_945_443n, 6],
    ],
  });
  const swaps = [
    [4, 5, 1_072_913_663n],
    [5, 3, 15_291n],
    [5, 3, 319n],
  ] as const;
  expect(sales(ib, swaps)).toEqual([27_305_773n, 866_474_122_931_373_354n, 18_076_170_203_052_316n]);
});

test("a pool that deposits last meets the rates that its deposit left in the next trade", () => {
  const compound = poolOf({
    implementation: "compound",
    coins: `${A},${B}/${C},${D}`,
    ramp: [2],
    fees: [100_000_000, 0],
    balances: [4_175_759_993_055_065n, 191_524_115_358_679n],
    holdings: [
      [2_122_013_460_678_548_669_931_847n, 4_175_759_993_055_065n, 18],
      [40_213_969_414n, 191_524_115_358_679n, 6],
    ],
  });
  const swaps = [
    [3, 2, 100_631_834_451n],
    [2, 3, 22_059_930_676_318_257_152n],
    [3, 2, 722_144n],
  ] as const;
  const paid = [781_465_297_855_148_863_285_805n, 6_122_964n, 2_550_039_002_517_050_727n];
  expect(sales(compound, swaps)).toEqual(paid);
});
