import { expect, test } from "vitest";
import { type Leftover, leftoverOf, revoke } from "./leftover.ts";

const ME = "0x1111111111111111111111111111111111111111";
const TOKEN = "0x2222222222222222222222222222222222222222";
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

type Answers = Readonly<Record<string, (...parameters: readonly unknown[]) => unknown>>;

/** A connected wallet on chain 1 that answers thus, and what it was asked. */
function connected(answers: Answers) {
  const asked: unknown[] = [];
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }) => {
    asked.push([method, ...params]);
    return answers[method]?.(...params) ?? null;
  };
  return { session: { wallet: { provider: { request } } as never, account: ME, chainId: 1 }, asked };
}

const refused = { kind: "refused", fault: { kind: "rejected", text: "" } } as const;
const mined = { kind: "mined", receipt: { status: "0x1", blockNumber: "0x7" } as never } as const;
const swapped = { chainId: 1, token: TOKEN, way: "approval", end: refused, isApproved: true } as const;
const left = (amount: bigint | undefined) => ({ chainId: 1, account: ME, token: TOKEN, amount });

test("an allowance that remains is read from the chain and not concluded from the approval", async () => {
  const reading = (answer: unknown) => connected({ eth_call: () => answer }).session;
  expect(await leftoverOf(reading(word(50n)), swapped)).toEqual(left(50n));
  // Another window has used it.
  expect(await leftoverOf(reading(word(0n)), swapped)).toBeUndefined();
  expect(await leftoverOf(reading("0x"), swapped)).toEqual(left(undefined));
  expect(await leftoverOf(reading("0x"), { ...swapped, isApproved: false })).toBeUndefined();
  expect(await leftoverOf(reading("0x"), { ...swapped, end: mined })).toBeUndefined();
  // DAI's permit lasts; an allowance from before the swap is its owner's own.
  expect(await leftoverOf(reading(word(9n)), { ...swapped, end: mined, way: "dai" })).toEqual(left(9n));
  expect(await leftoverOf(reading(word(9n)), { ...swapped, end: mined, way: "none" })).toBeUndefined();
});

test("what remains after a mined swap is read at its block", async () => {
  const { session, asked } = connected({ eth_call: () => word(1n) });
  await leftoverOf(session, { ...swapped, end: mined });
  expect(asked).toMatchObject([["eth_call", {}, "0x7"]]);
});

test("a revocation approves 0 on the swap's own chain and by its own account, and says why it did not", async () => {
  const { signal } = new AbortController();
  const leftover: Leftover = left(50n);
  const own: Answers = {
    eth_chainId: () => "0x1",
    eth_sendTransaction: () => word(7n),
    eth_getTransactionReceipt: () => ({
      status: "0x1",
      blockNumber: "0x1",
      transactionHash: word(7n),
      logs: [],
    }),
  };
  const good = connected(own);
  expect(await revoke(good.session, leftover, signal)).toBeUndefined();
  const sent = { from: ME, to: TOKEN, value: "0x0", data: expect.stringMatching(/^0x095ea7b3.*0{64}$/) };
  expect(good.asked).toContainEqual(["eth_sendTransaction", expect.objectContaining(sent)]);
  const elsewhere = connected({ ...own, eth_chainId: () => "0x2" });
  expect(await revoke(elsewhere.session, leftover, signal)).toMatch(/another chain/);
  expect(elsewhere.asked.flat()).not.toContain("eth_sendTransaction");
  expect(await revoke({ ...good.session, account: TOKEN }, leftover, signal)).toMatch(/Connect the account/);
  const failed = { eth_getTransactionReceipt: () => ({ status: "0x0", blockNumber: "0x1", logs: [] }) };
  expect(await revoke(connected({ ...own, ...failed }).session, leftover, signal)).toMatch(/not executed/);
});
