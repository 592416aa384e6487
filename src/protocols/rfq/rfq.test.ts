import { expect, test } from "vitest";
import { type AirSwapOrder, airSwapExtra, rfqExtra } from "../../core/encoding/index.ts";
import type { RfqOrder } from "../../core/encoding/permits.ts";
import { isCrossed, type Level, levelsFault, makerPool, type RfqState } from "../../core/rfq.ts";
import type { Hex, View } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { rfq } from "./index.ts";

const level = (amountIn: bigint, amountOut: bigint): Level => ({ amountIn, amountOut });
const BOOK = [level(100n, 300n), level(50n, 120n)];

function ask(stock: bigint, amount: bigint, side: "in" | "out" = "in", view?: View) {
  const { pool, states, at } = subjectOf([BOOK, []], [0n, stock]);
  return rfq.quote(view ?? states, pool, 0, 1, amount, side, at);
}

test("a level pays parts of it pro rata, rounded down, and the next level follows", () => {
  const paid = [1n, 33n, 100n, 101n, 149n, 150n].map((amount) => ask(1000n, amount)?.amountOut);
  expect(paid).toEqual([3n, 99n, 300n, 302n, 417n, 420n]);
  expect(ask(1000n, 151n)).toBeUndefined();
});

test("the least is sold that buys an amount", () => {
  const sold = [1n, 3n, 4n, 300n, 301n, 420n].map((amount) => ask(1000n, amount, "out")?.amountIn);
  expect(sold).toEqual([1n, 1n, 2n, 100n, 101n, 150n]);
  expect(ask(1000n, 421n, "out")).toBeUndefined();
});

test("no more is paid than the inventory, which all pairs of a maker share", () => {
  expect(ask(300n, 100n)?.amountOut).toBe(300n);
  expect(ask(299n, 100n)).toBeUndefined();
  const { states } = subjectOf([BOOK, []], [0n, 400n]);
  const first = ask(400n, 100n)!;
  const after = new Map<string, unknown>([...states, ...first.writes]);
  expect(ask(400n, 41n, "in", after)?.amountOut).toBe(98n);
  expect(ask(400n, 42n, "in", after)?.amountOut).toBe(100n);
  expect(ask(400n, 43n, "in", after)).toBeUndefined();
});

test("levels that are no curve are named", () => {
  expect(levelsFault(BOOK)).toBeUndefined();
  expect(levelsFault([level(100n, 300n), level(100n, 301n)])).toMatch(/rises/);
  expect(levelsFault([level(0n, 1n)])).toMatch(/nothing/);
  expect(levelsFault([level(1n, -1n)])).toMatch(/nothing/);
  expect(levelsFault([level(2n ** 127n, 1n), level(2n ** 127n, 1n)])).toMatch(/128 bits/);
  expect(levelsFault(Array.from({ length: 65 }, () => level(1n, 1n)))).toMatch(/64 levels/);
});

test("a maker that pays more than it takes on a round trip is crossed", () => {
  expect(isCrossed([[level(100n, 300n)], [level(300n, 100n)]])).toBe(false);
  expect(isCrossed([[level(100n, 300n)], [level(299n, 100n)]])).toBe(true);
  expect(isCrossed([[], [level(1n, 9n)]])).toBe(false);
});

const signature: Hex = `0x${"ab".repeat(65)}`;
const order: RfqOrder = {
  chainId: 1,
  takerToken: "0x0000000000000000000000000000000000000001",
  takerAmount: 100n,
  makerToken: "0x0000000000000000000000000000000000000002",
  makerAmount: 300n,
  taker: undefined,
  nonce: 7n,
  expiry: 1_700_000_100,
};

test("a signed order is what the step carries, and its direction bit says whether it names a taker", () => {
  const { pool } = subjectOf([BOOK, []], [0n, 0n]);
  const state = (taker: Hex | undefined): RfqState => ({
    levels: [[level(100n, 300n)], []],
    firm: { order: { ...order, taker }, signature },
  });
  const open = rfq.encode(pool, state(undefined), 0, 1);
  expect([open.extra, open.zeroForOne, open.target]).toEqual([
    rfqExtra(order, signature),
    false,
    pool.address,
  ]);
  expect(rfq.encode(pool, state(pool.address), 0, 1).zeroForOne).toBe(true);
});

test("an indicative price is encoded as an order of nothing, which the router refuses", () => {
  const { pool } = subjectOf([BOOK, []], [0n, 0n]);
  expect(rfq.encode(pool, { levels: [BOOK, []], firm: null }, 0, 1).extra).toMatch(/^0x0+$/);
});

const airSwapOrder: AirSwapOrder = {
  ...{ chainId: 1, settler: "0x00000000000000000000000000000000000000cc" },
  ...{ signer: "0x00000000000000000000000000000000000000aa", protocolFee: 7n },
  ...{ signerToken: order.makerToken, signerAmount: 300n, senderToken: order.takerToken, senderAmount: 100n },
  ...{ nonce: 7n, expiry: 1_700_000_100 },
};
const wholePool = makerPool(
  "maker-whole",
  { address: airSwapOrder.signer, isContract: false, settler: airSwapOrder.settler },
  [order.takerToken, order.makerToken],
);
const signedWhole: RfqState = {
  levels: [[level(100n, 300n)], []],
  firm: { order: airSwapOrder, signature },
};

function askWhole(state: RfqState, amount: bigint) {
  const states = new Map<string, unknown>([
    [wholePool.stateIds[0], state],
    [wholePool.stateIds[1]!, { [order.makerToken]: 1_000n }],
  ]);
  return rfq.quote(states, wholePool, 0, 1, amount, "in", { blockNumber: 1, timestamp: 1 })?.amountOut;
}

test("an AirSwap order is encoded for its own contract, and an indicative price of such a maker as an order of nothing", () => {
  const step = rfq.encode(wholePool, signedWhole, 0, 1);
  expect([step.kind, step.target, step.intake, step.extra]).toEqual([
    19,
    airSwapOrder.settler,
    "approval",
    airSwapExtra(airSwapOrder, signature),
  ]);
  expect(rfq.encode(wholePool, { ...signedWhole, firm: null }, 0, 1).extra).toMatch(/^0x0{308}$/);
});

test("a signed order that is filled whole takes its very amount, and an indicative price any", () => {
  expect([99n, 100n, 101n].map((amount) => askWhole(signedWhole, amount))).toEqual([
    undefined,
    300n,
    undefined,
  ]);
  expect([50n, 100n].map((amount) => askWhole({ ...signedWhole, firm: null }, amount))).toEqual([150n, 300n]);
});

test("less than the least is not sold", () => {
  const bounded: RfqState = { levels: [BOOK, []], least: [10n, 0n], firm: null };
  expect([9n, 10n].map((amount) => askWhole(bounded, amount))).toEqual([undefined, 30n]);
});
