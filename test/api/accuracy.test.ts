import { expect, test } from "vitest";
import type { Deps } from "../../src/service/deps.ts";
import { get } from "./ask.ts";
import { createWorld, UNI_WETH_USDC, USDC, WETH } from "./world.ts";

/** The service's own offers on a market that a test moves, with a clock that it turns. */

const query = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: String(10n ** 18n) };

async function measured() {
  let nowMs = 0;
  const clock: Partial<Deps> = { monotonicMs: () => nowMs };
  const service = await createWorld({ deps: clock });
  service.measure();
  /** Turns the clock and mines, and lets the service do what is due. */
  const pass = async (ms: number) => {
    nowMs += ms;
    service.world.nextBlock();
    for (let k = 0; k < 20; k++) await new Promise((resolve) => setImmediate(resolve));
  };
  const report = async () => (await get(service, "/v1/1/accuracy")).json;
  return { service, pass, report };
}

test("a quiet service has figures of its own: what stands still loses nothing", async () => {
  const { service, pass, report } = await measured();
  for (let k = 0; k < 60; k++) await pass(2_500);
  const { replayed, same_state, pairs } = await report();
  const own = replayed.filter(({ source }: { source: string }) => source === "reference");
  expect(own.map(({ horizon }: { horizon: string }) => horizon)).toContain("10s");
  for (const { loss_bps, unfilled } of own) expect([loss_bps.max, unfilled]).toEqual([0, 0]);
  expect(same_state.reference.differs + same_state.reference.reverted).toBe(0);
  expect(pairs.length).toBeGreaterThan(5);
  await service.app.close();
});

test("a caller's offer is settled again on later states, and its loss is told by pair class", async () => {
  const { service, pass, report } = await measured();
  const { json: offer } = await get(service, "/v1/1/price", query);
  service.world.trade(UNI_WETH_USDC, WETH, 100n * 10n ** 18n);
  await pass(10_000);
  await pass(0);
  const { replayed } = await report();
  const rows = replayed.filter(({ source }: { source: string }) => source === "callers");
  expect(rows.map(({ horizon }: { horizon: string }) => horizon).sort()).toEqual(["10s", "block"]);
  const { json: after } = await get(service, "/v1/1/price", query);
  for (const { loss_bps, count, pair_class } of rows) {
    expect([count, pair_class]).toEqual([1, "deep"]);
    expect(loss_bps.max).toBeGreaterThan(1);
    // The same route over the moved pool pays no more than the best route does.
    expect(Number(offer.amount_out_total) * (1 - loss_bps.max / 1e4)).toBeLessThanOrEqual(
      Number(after.amount_out_total) + 1,
    );
  }
  await service.app.close();
});

test("suggested_slippage follows what the pair was seen to lose, once it was watched for long enough", async () => {
  const { service, pass } = await measured();
  const small = { ...query, amount: String(10n ** 15n) };
  const suggested = async () => (await get(service, "/v1/1/price", small)).json.suggested_slippage;
  expect(await suggested()).toBe(5);
  for (let k = 0; k < 400; k++) await pass(2_500);
  expect(await suggested()).toBe(1);
  for (let k = 0; k < 1_600; k++) {
    if (k % 4 === 0)
      service.world.trade(
        UNI_WETH_USDC,
        k % 8 === 0 ? WETH : USDC,
        k % 8 === 0 ? 60n * 10n ** 18n : 120_000n * 10n ** 6n,
      );
    await pass(2_500);
  }
  expect(await suggested()).toBeGreaterThan(6);
  await service.app.close();
});
