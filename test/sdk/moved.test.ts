import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeSwap, type QuoteAnswer } from "../../packages/sdk/src/index.ts";
import { withMinimum } from "../../packages/sdk/src/quote/calldata.ts";
import { gasLimit } from "../../packages/sdk/src/swap/gas.ts";
import { moved } from "../../packages/sdk/src/swap/run.ts";
import { createPayingWorld, genuineQuotes } from "./genuine.ts";

/** A swap that is quoted again, after an approval or a signature. */

let world: Awaited<ReturnType<typeof createPayingWorld>>;
let agreed: QuoteAnswer;
beforeAll(async () => {
  world = await createPayingWorld();
  agreed = (await genuineQuotes(world))[0]!.quote;
});
afterAll(() => world.app.close());

/** The quote for another amount, with the minimum that follows from the same slippage. */
function at(permille: bigint): QuoteAnswer {
  const [total, minimum] = [agreed.amount_out_total, agreed.min_amount_out].map(
    (amount) => (amount * permille) / 1000n,
  );
  return {
    ...agreed,
    amount_out_total: total!,
    min_amount_out: minimum!,
    calldata: withMinimum(agreed.calldata, minimum!),
  };
}

test("a later quote that promises less keeps the minimum that was agreed to", () => {
  expect(at(997n).min_amount_out).toBeLessThan(agreed.min_amount_out);
  const sent = moved(agreed, at(997n));
  expect(sent.min_amount_out).toBe(agreed.min_amount_out);
  expect(decodeSwap(sent.calldata)).toEqual(decodeSwap(agreed.calldata));
  expect(sent.amount_out_total).toBe(at(997n).amount_out_total);
});

test("a later quote that promises more is sent as it is", () => {
  const better = at(1003n);
  expect(moved(agreed, better)).toBe(better);
});

test("a later quote below the minimum, or for more than agreed, is refused", () => {
  expect(() => moved(agreed, at(900n))).toThrow("The price moved by more than the slippage");
  const dearer = { ...agreed, amount_in: agreed.amount_in + 1n };
  expect(() => moved(agreed, dearer)).toThrow("The price moved by more than the slippage");
  expect(moved(agreed, dearer, dearer.amount_in)).toBe(dearer);
});

test("a later quote cannot make the wallet pay for much more gas than was confirmed", () => {
  const needing = (estimate_gas_total: bigint, simulated = true) => ({
    ...agreed,
    estimate_gas_total,
    simulated,
  });
  const confirmed = needing(150_000n);
  expect(gasLimit(confirmed, confirmed)).toBe(150_000n);
  expect(gasLimit(confirmed, needing(300_000n))).toBe(300_000n);
  for (const first of [confirmed, needing(150_000n, false)])
    expect(() => gasLimit(first, needing(29_000_000n))).toThrow("much more gas");
  // The wallet's own estimate would be what the route's contracts burn.
  expect(gasLimit(confirmed, needing(29_000_000n, false))).toBe(500_000n);
  const open = needing(150_000n, false);
  expect([gasLimit(open, open), gasLimit(open, { ...open })]).toEqual([undefined, undefined]);
});
