import { numberToHex } from "viem/utils";
import { expect, test } from "vitest";
import { uintAt } from "../../core/abi.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import { createCautions } from "./cautions.ts";

const TOKEN: Address = `0x${"70".repeat(20)}`;
const POOL: Address = `0x${"11".repeat(20)}`;
const EXEMPT: Address = `0x${"22".repeat(20)}`;
const HELD = 10n ** 24n;

type Simulation = {
  readonly blockStateCalls: readonly { readonly calls: readonly { from?: Address; data: Hex }[] }[];
};

/** A node with a token that keeps 5 % of a transfer, except of one pool. Each pool holds `HELD` of it. */
function node() {
  let simulations = 0;
  const batch: Rpc["batch"] = async ([request]) => {
    simulations += 1;
    const [{ calls }] = (request!.params[0] as Simulation).blockStateCalls as [
      { calls: Simulation["blockStateCalls"][0]["calls"] },
    ];
    const { from, data } = calls[1]!;
    const amount = uintAt(`0x${data.slice(10)}`, 1);
    const arrived = from === EXEMPT ? amount : amount - (amount * 5n) / 100n;
    const balance = (value: bigint) => ({ status: "0x1", returnData: numberToHex(value, { size: 32 }) });
    const sent = { status: amount <= HELD ? "0x1" : "0x0", returnData: "0x" };
    return [{ ok: true, result: [{ calls: [balance(0n), sent, balance(arrived)] }] }];
  };
  const rpc: Rpc = { batch, request: () => Promise.reject(new Error("only batches are sent")) };
  const { transferFeeBps } = createCautions(rpc);
  const fee = (amount: bigint, holder = POOL, number = 100) =>
    transferFeeBps({
      ...{ token: TOKEN, holder, amount },
      head: { number, hash: `0x${"ab".repeat(32)}`, parentHash: "0x00", timestamp: 1_700_000_000 },
    });
  return { fee, simulations: () => simulations };
}

test.each([
  ["an amount whose fee rounds to nothing", 1n, POOL, 0],
  ["an amount that the pool does not hold", HELD + 1n, POOL, undefined],
  ["a pool that the token exempts", 10n ** 18n, EXEMPT, 0],
])("a quote with %s hides no fee from the quotes of others", async (_name, amount, holder, told) => {
  const { fee } = node();
  expect(await fee(amount, holder)).toBe(told);
  expect(await fee(10n ** 18n)).toBe(500);
});

test("a fee that nothing was found out about is asked for again", async () => {
  const { fee, simulations } = node();
  expect([await fee(HELD + 1n), await fee(HELD)]).toEqual([undefined, 500]);
  expect(simulations()).toBe(2);
});

test("amounts of the same size cost one simulation in fifty blocks", async () => {
  const { fee, simulations } = node();
  for (const amount of [1_000_000n, 1_000_001n, 1_048_575n]) expect(await fee(amount)).toBe(500);
  expect(simulations()).toBe(1);
  await fee(1_000_000n, POOL, 149);
  expect(simulations()).toBe(1);
  await fee(1_000_000n, POOL, 150);
  expect(simulations()).toBe(2);
});
