import { expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import type { Call, Deployment, Hex, Log } from "../../core/types.ts";
import { uniswapV3 } from "./index.ts";
import { pricedAt, type State } from "./state.ts";

const factory = "0x00000000000000000000000000000000000000fa";
const module = "0x00000000000000000000000000000000000000fe";
const address = "0x00000000000000000000000000000000000000bb";
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;

const record: Deployment = {
  ...{ id: "slipstream", protocol: "uniswap-v3", name: "Slipstream", factory, fromBlock: 0, trusted: false },
  ...{ facts: { keys: "tickSpacing", blockSeconds: 1 }, source: "test" },
};
const created: Log = {
  address: factory,
  topics: [
    "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
    words(1),
    words(2),
    words(200),
  ],
  data: words(BigInt(address)),
};
const pool = uniswapV3.discover(created, record)!;

const NOW = 1_700_000_000;
const [WINDOW, BASE, CAP, SLOTS] = [20, 500, 50_000, 40];
/** The tick in the second that ends at a Unix time: it jumps in every second. */
const tickUntil = (time: number) => ((time * 7919) % 4_001) - 2_000;
const sumUntil = (time: number) =>
  Array.from({ length: time - (NOW - 100) }, (_, k) => tickUntil(NOW - 99 + k)).reduce((a, b) => a + b, 0);

/** The fee as the module states it in a block at `time`, with a scaling of ten parts per million a tick. */
function statedFee(tick: number, time: number): number {
  const average = Math.trunc((sumUntil(time) - sumUntil(time - WINDOW)) / WINDOW);
  return Math.min(BASE + 10 * Math.abs(tick - average), CAP);
}

/** What the contracts answer in a block at `NOW`, the only block of a second whose first swap has not come yet. */
function answer({ data }: Call, tick: number): Hex {
  const [selector, body] = [data.slice(0, 10), data.slice(10)];
  const wordAt = (k: number) => Number(BigInt(`0x${body.slice(64 * k, 64 * k + 64)}`));
  if (selector === "0x3850c7bd") return words(sqrtRatioAtTick(tick), tick, 0, SLOTS, SLOTS);
  if (selector === "0xddca3f43") return words(statedFee(tick, NOW));
  if (selector === "0x23c43a51") return words(BigInt(module));
  if (selector === "0xba743e38") return words(10_000_000);
  if (selector === "0x5bb525ff") return words(BASE, 0, 0, 0, 0);
  if (selector === "0xdcf4eb27") return words(CAP);
  if (selector === "0x633dd145") return words(WINDOW);
  // The module takes a block for two seconds.
  if (selector === "0x60b3042c") return words(2);
  if (selector === "0x252c09d7") return words(wordAt(0) === 0 ? NOW - 1 : NOW - SLOTS, 0, 0, 1);
  if (selector !== "0x883bdbfd") return words(0, 0);
  const ago = Array.from({ length: wordAt(1) }, (_, k) => wordAt(2 + k));
  const sums = ago.map((seconds) => BigInt(sumUntil(NOW - seconds)));
  return words(64, 0, sums.length, ...sums);
}

test("where blocks are a second apart, the fee of the next one follows from every second of the window", () => {
  const tick = tickUntil(NOW);
  const answers: Hex[] = [];
  for (let calls = uniswapV3.reads(pool, answers); calls.length > 0; calls = uniswapV3.reads(pool, answers))
    answers.push(...calls.map((call) => answer(call, tick)));
  const state = uniswapV3.load(pool, answers, { blockNumber: 1, timestamp: NOW }) as State;
  expect(state.feePpm).toBe(statedFee(tick, NOW));
  // The tick stays: what leaves the window is the second of its start.
  const next = (sumUntil(NOW) + tick - sumUntil(NOW + 1 - WINDOW)) / WINDOW;
  expect(pricedAt(state, NOW + 1)?.feePpm).toBe(Math.min(BASE + 10 * Math.abs(tick - Math.trunc(next)), CAP));
});
