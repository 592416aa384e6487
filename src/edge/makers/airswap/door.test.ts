import { decodeFunctionData } from "viem/utils";
import { afterEach, expect, test } from "vitest";
import { ROUTER_ADDRESS } from "../../../core/encoding/index.ts";
import type { Address } from "../../../core/types.ts";
import {
  A,
  abi,
  address,
  asked,
  B,
  type Change,
  closeAll,
  newWorld,
  open,
  orderAnswer,
  PRICING,
  pool,
  settler,
  stranger,
  WANTED,
  type World,
  word,
} from "./door.fixture.ts";

afterEach(closeAll);

test("prices are asked for both ways round, and what can be paid is what is held less the fee on top", async () => {
  const { door, calls } = await open(() => ({ result: PRICING }));
  const prices = await door.levels(500);
  if (typeof prices === "string") throw new Error(prices);
  expect(calls.map(({ method, params }) => [method, params])).toEqual([
    [
      "getPricingERC20",
      {
        pairs: [
          { baseToken: A, quoteToken: B },
          { baseToken: B, quoteToken: A },
        ],
      },
    ],
  ]);
  expect(prices.pools).toMatchObject([{ id: pool.id, address: settler, facts: { whole: 1 } }]);
  // The maker holds 10,007: 10,000 and a fee of 7 basis points.
  expect(prices.states.get("maker-m:inventory")).toEqual({ [A]: 10_000n, [B]: 10_000n });
});

test("contracts are read once a block, and an allowance bounds what can be paid", async () => {
  const world = { ...newWorld(), allowed: 5_003n };
  const { door } = await open(() => ({ result: PRICING }), { world });
  await door.levels(500);
  const again = await door.levels(500);
  expect([world.reads, typeof again === "string" ? again : again.states.get("maker-m:inventory")]).toEqual([
    1,
    { [A]: 4_999n, [B]: 4_999n },
  ]);
  world.hash = word(8);
  world.held = 0n;
  const later = await door.levels(500);
  expect([world.reads, typeof later === "string" ? later : later.states.get("maker-m:inventory")]).toEqual([
    2,
    { [A]: 0n, [B]: 0n },
  ]);
});

test("a server that knows only the other way to ask for prices is asked that way", async () => {
  const known = { result: PRICING };
  const unknown = { error: { code: -33603, message: "Invalid method" } };
  const { door, calls } = await open(({ method }) => (method === "getAllPricingERC20" ? known : unknown));
  expect(await door.levels(500)).toBe("levels: getPricingERC20: Invalid method");
  expect(await door.levels(500)).toMatchObject({ pools: [{ id: pool.id }] });
  expect(await door.levels(500)).toMatchObject({ pools: [{ id: pool.id }] });
  expect(calls.map(({ method }) => method)).toEqual([
    "getPricingERC20",
    "getAllPricingERC20",
    "getAllPricingERC20",
  ]);
});

test("an order is asked for as the protocol has it, and one that is as asked is given", async () => {
  const { signature, result } = await orderAnswer();
  const { calls, judged } = await asked({ result }, {}, { taker: B });
  const { minExpiry, ...params } = calls.at(-1)!.params;
  expect([calls.at(-1)!.method, params]).toEqual([
    "getSignerSideOrderERC20",
    {
      ...{ chainId: "1", swapContract: "0xD82E10B9A4107939e55fCCa9B53A9ede6CF2fC46", senderAmount: "100" },
      ...{ signerToken: B, senderToken: A, senderWallet: ROUTER_ADDRESS, proxyingFor: B },
    },
  ]);
  expect(minExpiry).toMatch(/^[1-9][0-9]*$/);
  expect(judged.outcome).toBe("given");
  expect(judged.order).toEqual({
    order: {
      ...{ chainId: 1, settler, signer: address, protocolFee: 7n, nonce: 5n, expiry: 2_000_000_030 },
      ...{ signerToken: B, signerAmount: 300n, senderToken: A, senderAmount: 100n },
    },
    signature,
  });
});

test.each<[string, string, Change, object]>([
  ["worse", "that pays a unit less", { signerAmount: 299n }, {}],
  ["invalid", "over another amount than it tells", { signerAmount: 300n }, { signerAmount: "301" }],
  ["invalid", "of another amount sold", { senderAmount: 99n }, {}],
  ["invalid", "that tells another amount sold", {}, { senderAmount: "101" }],
  ["invalid", "with another fee", { protocolFee: 8n }, {}],
  ["invalid", "signed over another fee than it tells", { protocolFee: 8n }, { protocolFee: "7" }],
  ["invalid", "that tells another fee than it is signed over", {}, { protocolFee: "8" }],
  ["invalid", "for another sender", {}, { senderWallet: B }],
  ["invalid", "of another signer", {}, { signerWallet: B }],
  ["invalid", "of another token", { signerToken: A }, {}],
  ["invalid", "that lapses too soon", { expiry: 1_999_999_999 }, {}],
  ["invalid", "of more than the maker can pay with the fee", { signerAmount: 10_001n }, {}],
  ["given", "of all that the maker can pay with the fee", { signerAmount: 10_000n }, {}],
  ["invalid", "without a signature", {}, { v: undefined }],
])("an order is %s %s", async (outcome, _what, change, told) => {
  const { result } = await orderAnswer(change, told);
  expect((await asked({ result })).judged.outcome).toBe(outcome);
});

test("an order whose nonce is used is invalid, and all that is asked of the chain is one request", async () => {
  const { result } = await orderAnswer();
  const world = { ...newWorld(), used: [5n] };
  expect((await asked({ result }, { world })).judged).toEqual({ outcome: "invalid", order: undefined });
  const names = world.orderReads.map((calls) =>
    calls.map(({ to, data }) => [to, decodeFunctionData({ abi, data }).functionName]),
  );
  expect(names).toEqual([
    [
      [settler, "nonceUsed"],
      [B, "balanceOf"],
      [B, "allowance"],
    ],
  ]);
  world.used = [4n, 6n];
  expect((await asked({ result }, { world })).judged.outcome).toBe("given");
});

test.each<[string, Partial<World>, string]>([
  ["holds less by now", { held: 300n }, "invalid"],
  ["lets less be taken by now", { allowed: 299n }, "invalid"],
  ["cannot be asked about in time", { isSilent: true }, "unchecked"],
])("a maker that %s gives no order: %o is %s", async (_what, change, outcome) => {
  // A fee of 40 basis points on 300 is 1 unit, so 301 must be held and allowed.
  const world = { ...newWorld(), fee: 40n };
  const { result } = await orderAnswer({ protocolFee: 40n });
  const { door } = await open(({ method }) => ({ result: method === "getPricingERC20" ? PRICING : result }), {
    world,
  });
  await door.levels(500);
  Object.assign(world, change);
  expect(await door.firm(WANTED, 2_000)).toEqual({ outcome, order: undefined });
});

test("an order of a server that tells neither fee nor sender is given, as both are signed", async () => {
  const { result } = await orderAnswer({}, { protocolFee: undefined });
  expect((await asked({ result })).judged.outcome).toBe("given");
});

test("only the maker's signature is good, or that of the account that it has authorized", async () => {
  const { result } = await orderAnswer({}, {}, stranger);
  expect((await asked({ result })).judged.outcome).toBe("invalid");
  const world = { ...newWorld(), authorized: stranger.address.toLowerCase() as Address };
  expect((await asked({ result }, { world })).judged.outcome).toBe("given");
  const own = await orderAnswer();
  expect((await asked({ result: own.result }, { world })).judged.outcome).toBe("invalid");
});

test.each([
  [true, "given"],
  [false, "invalid"],
  [undefined, "unchecked"],
])(
  "a contract that says %s of a signature: %s, and AirSwap's contract is who asks",
  async (says, outcome) => {
    const { result } = await orderAnswer({}, {}, stranger);
    const world = { ...newWorld(), isOwned: says };
    expect((await asked({ result }, { isContract: true, world })).judged.outcome).toBe(outcome);
    expect(world.orderReads.map((calls) => calls.length)).toEqual([4]);
    expect(world.orderReads[0]![3]).toMatchObject({ from: settler, to: address });
  },
);

test.each<[string, unknown]>([
  ["refused", { error: { code: -33604, message: "no" } }],
  ["invalid", { result: {} }],
  ["failed", {}],
  ["late", undefined],
])("no order is %s", async (outcome, answer) => {
  expect((await asked(answer)).judged).toMatchObject({ outcome, order: undefined });
});

test("before the contracts were read nobody is asked for an order", async () => {
  const { door, calls } = await open(() => ({ result: {} }));
  expect(await door.firm(WANTED, 250)).toEqual({ outcome: "unchecked", order: undefined });
  expect(calls).toEqual([]);
});

/** Description of a server, its answer, and the message for the operator. */
type Unfit = [string, () => unknown, RegExp];

const unfit: readonly Unfit[] = [
  [
    "that knows neither way to ask for prices",
    () => ({ error: { message: "Method not found" } }),
    /^levels: getPricingERC20: Method not found; getAllPricingERC20: Method not found$/,
  ],
  ["that answers with another protocol", () => ({}), /^levels: getPricingERC20: status 200 without a result/],
];

test.each(unfit)("a server %s is named as one that gives no levels", async (_what, answer, why) => {
  const { door } = await open(answer);
  await door.levels(500);
  expect(await door.levels(500)).toMatch(why);
});

test("a server that speaks over WebSocket only is named as that", async () => {
  const { door } = await open(() => undefined, { status: 426 });
  expect(await door.levels(500)).toBe(
    "levels: getPricingERC20: status 426: the server speaks over WebSocket only (last look), which is not supported",
  );
});
