import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Hex, Log, Pool, Side } from "../../core/types.ts";
import { uniswapV3 } from "./index.ts";
import { enlarged, type MovingFee, movingFeePpm, observed } from "./moving-fee.ts";
import recorded from "./slipstream-swaps.json" with { type: "json" };
import { pricedAt, type State } from "./state.ts";

const hexOf = (words: string): Hex =>
  words === "-"
    ? "0x"
    : `0x${words
        .split(" ")
        .map((text) => word(signed(text)))
        .join("")}`;
const signed = (text: string) => (text.startsWith("-") ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`));

type Step = (typeof recorded.runs)[number]["steps"][number];

const answersOf = (read: readonly (string | number)[]): Hex[] =>
  read.flatMap((answer) =>
    typeof answer === "number" ? Array<Hex>(answer).fill(hexOf("0")) : [hexOf(answer)],
  );

function logOf([count, words]: readonly (string | number)[], address: Hex): Log {
  const [topics, data] = [[] as Hex[], [] as string[]];
  for (const [k, text] of String(words).split(" ").entries())
    if (k < Number(count)) topics.push(hexOf(text));
    else data.push(text);
  return { address, topics, data: hexOf(data.join(" ")) };
}

/** Follows a recorded pool as the indexer does, and quotes each of its swaps before it. */
function replay({ pool: { address, factory, tokens }, steps }: (typeof recorded.runs)[number]) {
  const pool: Pool = {
    ...{ id: address, address: address as Hex, protocol: "uniswap-v3", deployment: "slipstream" },
    ...{
      tokens: tokens as Hex[],
      stateIds: [address],
      facts: { tickSpacing: 100, feesFrom: factory as Hex },
    },
  };
  let state: State;
  const counts = { exact: 0, unknown: 0 };
  const fees = new Set<number | undefined>();
  const quoted = (from: State, [i, amount, side]: readonly (string | number)[], timestamp: number) =>
    uniswapV3.quote({ get: () => from }, pool, Number(i), 1 - Number(i), BigInt(amount!), side as Side, {
      blockNumber: 0,
      timestamp,
    });
  const advance = ({ at, read, log, swap, answers }: Step) => {
    const now = { blockNumber: 0, timestamp: at };
    if (read !== undefined) state = uniswapV3.load(pool, answersOf(read), now) as State;
    if (log !== undefined) {
      const next = uniswapV3.apply(state, logOf(log, address as Hex), now);
      expect(next).not.toBe("reload");
      state = next as State;
    }
    let before = state;
    for (const [amountIn, amountOut] of answers ?? []) {
      fees.add(pricedAt(before, at)?.feePpm);
      const fill = quoted(before, swap!, at);
      if (fill === undefined) {
        counts.unknown++;
        break;
      }
      expect(fill).toMatchObject({ amountIn: BigInt(amountIn!), amountOut: BigInt(amountOut!) });
      counts.exact++;
      before = fill.writes[0]![1] as State;
    }
  };
  for (const step of steps) advance(step);
  return { ...counts, fees: fees.size };
}

describe("swaps of Slipstream's own contracts, to the wei", () => {
  test.each(recorded.runs)("$what", (run) => {
    const { exact, unknown, fees } = replay(run);
    expect(exact).toBeGreaterThan(30);
    // The second swap of the very block in which the ring grows, or in which a ring without a spare slot is full.
    expect(unknown).toBeLessThanOrEqual(4);
    expect(fees).toBeGreaterThan(run.what.includes("another") ? 1 : 30);
  });
});

const fee: MovingFee = {
  ...{ basePpm: 500, capPpm: 20_000, scaling: 3_000_000n, window: 20, blockSeconds: 2, stepSeconds: 2 },
  ring: { index: 4, cardinality: 11, cardinalityNext: 11, newest: 1_000 },
  history: { times: [980, 990, 1_000], sums: [0, 100, 400] },
};

describe("a fee that follows the price", () => {
  test("is the base at the average, and grows with the distance from it up to the cap", () => {
    // The average of the 20 seconds before 1000 is 400 / 20.
    expect(movingFeePpm(fee, 20, 1_000)).toBe(500);
    expect(movingFeePpm(fee, 120, 1_000)).toBe(800);
    expect(movingFeePpm(fee, -80, 1_000)).toBe(800);
    expect(movingFeePpm(fee, 900_000, 1_000)).toBe(20_000);
  });

  test("moves with time alone: the average approaches the price", () => {
    // At 1010 the window holds 10 seconds at 30 and 10 at the present tick.
    expect(movingFeePpm(fee, 130, 1_010)).toBe(500 + 3 * 50);
    expect(movingFeePpm(fee, 130, 1_100)).toBe(500);
  });

  test("is the base while the ring has fewer slots than the window has blocks, or does not reach back", () => {
    const short = { ...fee, ring: { ...fee.ring, cardinality: 9 } };
    expect(movingFeePpm(short, 120, 1_000)).toBe(500);
    const young = { ...fee, ring: { ...fee.ring, oldest: 985 } };
    expect(movingFeePpm(young, 120, 1_000)).toBe(500);
    expect(movingFeePpm(young, 120, 1_005)).toBeGreaterThan(500);
  });

  test("is unknown before the known history, and where a full ring may not reach back", () => {
    expect(movingFeePpm(fee, 120, 999)).toBeUndefined();
    const full = { ...fee, ring: { ...fee.ring, cardinality: 10 } };
    expect(movingFeePpm(full, 120, 1_000)).toBeUndefined();
    expect(movingFeePpm(full, 120, 1_002)).toBeDefined();
    // Blocks a second apart fill the same ring in half of the time.
    const faster = { ...fee, ring: { ...fee.ring, cardinality: 19 }, stepSeconds: 1 };
    expect(movingFeePpm(faster, 120, 1_001)).toBeUndefined();
    expect(movingFeePpm({ ...faster, ring: { ...fee.ring, cardinality: 20 } }, 120, 1_001)).toBeDefined();
  });

  test("a full ring reaches back to the observation that is overwritten next, until it is", () => {
    const full = (overwrittenNext: number) => ({
      ...fee,
      ring: { ...fee.ring, cardinality: 10, overwrittenNext },
    });
    expect(movingFeePpm(full(980), 120, 1_000)).toBe(800);
    expect(movingFeePpm(full(981), 120, 1_000)).toBe(500);
    const after = observed(full(950), 20, 1_004);
    expect(after.ring.overwrittenNext).toBeUndefined();
    expect(movingFeePpm(after, 120, 1_004)).toBeUndefined();
  });

  test("before a block's first observation is what the module states for it", () => {
    const opening = { ...fee, openingPpm: 7 };
    expect(movingFeePpm(opening, 120, 1_002)).toBe(7);
    expect(movingFeePpm(observed(opening, 120, 1_002), 900, 1_002)).toBeGreaterThan(500);
  });

  test("an observation is written once a block, and one past the last slot in use takes the new ones", () => {
    const once = observed(fee, 30, 1_004);
    expect(once).toMatchObject({ ring: { index: 5, newest: 1_004 } });
    expect(observed(once, 90, 1_004)).toBe(once);
    const last = { ...enlarged(fee, 50), ring: { ...fee.ring, index: 10, cardinalityNext: 50 } };
    expect(observed(last, 30, 1_004)).toMatchObject({
      ring: { index: 11, cardinality: 50 },
      history: { times: [] },
    });
    // Nobody can close the pool by announcing more slots: the fee is known until they are in use.
    expect(movingFeePpm(enlarged(fee, 50), 120, 1_000)).toBe(800);
  });
});
