import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { encodeApprove } from "../../src/core/encoding/index.ts";
import { NATIVE } from "../../src/core/types.ts";
import { get } from "./ask.ts";
import { holding } from "./ledger.ts";
import { ALICE, createWorld, ROUTER, USDC, USDT, WETH } from "./world.ts";

/** What a wallet has to call, in order: reset, approve, swap, as far as needed. */

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { balances, allowances, stubborn } = api.world.ledger;
  for (const part of [balances, allowances, stubborn]) part.clear();
  api.world.nodeDown = false;
});

const AMOUNT = 1_000_000_000n;
const base = { toTokenAddress: WETH, amount: String(AMOUNT), slippage: "10", takerAddress: ALICE };

async function quoted(query: Record<string, string>) {
  const { json } = await get(api, "/v1/1/quote", { ...base, ...query });
  const swap = { to: json.to, data: json.calldata, value: json.value };
  return { json, swap };
}

const approval = (token: string, amount: bigint) => ({
  to: token,
  data: encodeApprove(ROUTER, amount),
  value: "0",
});
const codes = ({ notices }: { notices: { code: string }[] }) => notices.map(({ code }) => code);

test("nothing is allowed: approve exactly what is sold, then swap", async () => {
  const { json, swap } = await quoted({ fromTokenAddress: USDC });
  expect(json.calls).toEqual([approval(USDC, AMOUNT), swap]);
});

test("enough is allowed, or the native coin is sold: the swap alone", async () => {
  api.world.ledger.allowances.set(holding(USDC, ALICE), AMOUNT);
  const token = await quoted({ fromTokenAddress: USDC });
  expect(token.json.calls).toEqual([token.swap]);
  const coin = await quoted({ fromTokenAddress: NATIVE, toTokenAddress: USDC });
  expect(coin.json.calls).toEqual([{ ...coin.swap, value: String(AMOUNT) }]);
});

test("one unit less than enough is allowed: approved anew, and reset before where the token wants that", async () => {
  for (const token of [USDC, USDT]) api.world.ledger.allowances.set(holding(token, ALICE), AMOUNT - 1n);
  api.world.ledger.stubborn.add(USDT);
  const plain = await quoted({ fromTokenAddress: USDC });
  expect(plain.json.calls).toEqual([approval(USDC, AMOUNT), plain.swap]);
  expect(codes(plain.json)).not.toContain("RESET_FIRST");
  const stubborn = await quoted({ fromTokenAddress: USDT });
  expect(stubborn.json.calls).toEqual([approval(USDT, 0n), approval(USDT, AMOUNT), stubborn.swap]);
  expect(codes(stubborn.json)).toContain("RESET_FIRST");
});

test("what is bought for an exact amount is approved at what it sells", async () => {
  const { json, swap } = await quoted({ fromTokenAddress: USDC, side: "BUY", amount: "1000000000000000000" });
  expect(json.calls).toEqual([approval(USDC, BigInt(json.amount_in)), swap]);
});

test("without a wallet as if nothing were approved; null where no node answers", async () => {
  const { json, swap } = await quoted({ fromTokenAddress: USDC, takerAddress: "" });
  expect(json.calls).toEqual([approval(USDC, AMOUNT), swap]);
  api.world.nodeDown = true;
  const down = await quoted({ fromTokenAddress: USDC });
  expect(down.json.calls).toBeNull();
  expect(down.json.calldata).toBeDefined();
});
