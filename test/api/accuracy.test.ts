import { expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Deps } from "../../src/service/deps.ts";
import { get } from "./ask.ts";
import { createWorld, DAI, UNI_WETH_USDC, USDC, WETH } from "./world.ts";

/** The service's own offers on a market that a test moves, with a clock that it turns. */

const query = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: String(10n ** 18n) };

/** @param more replaces dependencies of the service, such as those that it settles with */
async function measured(more: Partial<Deps> = {}) {
  let nowMs = 0;
  const clock: Partial<Deps> = { monotonicMs: () => nowMs };
  const service = await createWorld({ deps: { ...clock, ...more } });
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

test("routes that cannot be filled any more are no measurements, so emptied pools do not raise suggested_slippage", async () => {
  const pairs = protocols.get("uniswap-v2")!;
  const emptied = { ...pairs, quote: () => undefined };
  const { service, pass, report } = await measured({
    registry: new Map([...protocols, ["uniswap-v2", emptied]]),
  });
  for (let k = 0; k < 400; k++) await pass(2_500);
  const { replayed, pairs: watched } = await report();
  expect(replayed[0]).toMatchObject({ source: "reference", loss_bps: { max: 10_000 } });
  expect(replayed[0].unfilled).toBeGreaterThan(60);
  const told = watched.find(
    (one: { token_in: string; token_out: string }) => one.token_in === USDC && one.token_out === DAI,
  );
  expect(told).toMatchObject({ samples: 0, drift_bps: null });
  const small = { fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: String(10n ** 15n) };
  expect((await get(service, "/v1/1/price", small)).json.suggested_slippage).toBe(5);
  await service.app.close();
});

test("routes through an unvetted token are no measurements of their pair", async () => {
  const other = await createWorld();
  const served = { ...other.deps.chains.get(1)!, isVetted: (token: string) => token !== USDC };
  const { service, pass, report } = await measured({ chains: new Map([[1, served]]) });
  const asked = { fromTokenAddress: DAI, toTokenAddress: WETH, amount: String(10n ** 18n) };
  for (let k = 0; k < 100; k++) {
    if (k % 10 === 0) await get(service, "/v1/1/price", asked);
    other.world.nextBlock();
    await pass(2_500);
  }
  const { pairs } = await report();
  const samples = (tokenIn: string, tokenOut: string) =>
    pairs.find(
      (one: { token_in: string; token_out: string }) =>
        one.token_in === tokenIn && one.token_out === tokenOut,
    )?.samples;
  expect(samples(DAI, WETH)).toBe(0);
  expect(pairs.some((one: { samples: number }) => one.samples > 0)).toBe(true);
  await Promise.all([service.app.close(), other.app.close()]);
});
