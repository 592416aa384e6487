import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import type { ProofRequest } from "../../src/service/ports/ports.ts";
import { get } from "./ask.ts";
import { holding, run } from "./ledger.ts";
import { ALICE, createWorld, ROUTER, USDC, WETH } from "./world.ts";

/** A quote's own calldata is run on its block, and what became of it is told beside the quote. */

let api: Awaited<ReturnType<typeof createWorld>>;
let asked: ProofRequest[] = [];
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { world } = api;
  for (const part of [world.ledger.balances, world.ledger.allowances, world.ledger.lies]) part.clear();
  world.nodeDown = false;
  world.simulatedOn = world.head.hash;
  asked = [];
  // As a node with overrides: the sender is given what it lacks for the run.
  world.proof = (request, market) => {
    asked.push(request);
    const { from, token, amountIn, swap } = request;
    const ledger = { ...world.ledger, balances: new Map([[holding(token, from), amountIn]]) };
    const allowances = new Map([[holding(token, from), amountIn]]);
    const { ok, data, gasUsed } = run({ ...ledger, allowances }, market, { from, ...swap });
    return { method: "eth_simulateV1", ok, data, gasUsed };
  };
});

const ONE = 10n ** 18n;
const base = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: String(ONE), slippage: "10" };
const quoted = async (query = {}) => (await get(api, "/v1/1/quote", { ...base, ...query })).json;

test("without a wallet a stand-in runs it, with the funds that it needs", async () => {
  for (const fromTokenAddress of [WETH, NATIVE]) {
    const { simulation, amount_out_total, to } = await quoted({ fromTokenAddress });
    expect(simulation).toEqual({
      status: "exact",
      amount_out: amount_out_total,
      gas_used: expect.stringMatching(/^\d+$/),
      block: 100,
      method: "eth_simulateV1",
      funds: "overridden",
      reason: null,
    });
    expect(asked.at(-1)).toMatchObject({ token: fromTokenAddress, amountIn: ONE, isAble: false });
    expect(asked.at(-1)!.swap.to).toBe(to);
  }
});

test("a wallet that can pay runs it itself, and nothing is run twice", async () => {
  const { ledger } = api.world;
  ledger.balances.set(holding(WETH, ALICE), ONE);
  ledger.allowances.set(holding(WETH, ALICE), ONE);
  const { simulation, simulated } = await quoted({ takerAddress: ALICE });
  expect(simulated).toBe(true);
  expect(simulation).toMatchObject({ status: "exact", funds: "wallet", block: 100 });
  expect(asked).toHaveLength(0);
});

test("a wallet that cannot pay is given what it lacks", async () => {
  const { simulation, simulated } = await quoted({ takerAddress: ALICE });
  expect(simulated).toBe(false);
  expect(simulation).toMatchObject({ status: "exact", funds: "overridden" });
  expect(asked[0]).toMatchObject({ from: ALICE, isAble: true, isSigned: false });
});

test("a pool that pays something else, or so little that the minimum is missed, is seen and told", async () => {
  const { ledger } = api.world;
  const first = await quoted();
  for (const { pool } of first.route_graph.steps) ledger.lies.set(pool, 999n);
  const differs = await quoted();
  expect(differs.simulation.status).toBe("differs");
  expect(BigInt(differs.simulation.amount_out)).toBeLessThan(BigInt(differs.amount_out_total));
  for (const { pool } of first.route_graph.steps) ledger.lies.set(pool, 900n);
  for (const query of [{}, { takerAddress: ALICE }]) {
    const { simulation, notices, warnings } = await quoted(query);
    const reason = "min return not reached";
    expect(simulation).toMatchObject({ status: "reverted", amount_out: null, funds: "overridden", reason });
    expect(notices[0]).toMatchObject({ code: "REVERTS", severity: "critical", details: { reason } });
    expect(warnings).toContain(notices[0].message);
  }
});

test("a wallet that can pay is told of a revert once", async () => {
  const { ledger } = api.world;
  ledger.balances.set(holding(WETH, ALICE), ONE);
  ledger.allowances.set(holding(WETH, ALICE), ONE);
  const { route_graph } = await quoted();
  for (const { pool } of route_graph.steps) ledger.lies.set(pool, 900n);
  api.world.simulatedOn = "0x01";
  const { notices } = await quoted({ takerAddress: ALICE });
  expect(notices.filter(({ code }: { code: string }) => code === "REVERTS")).toHaveLength(1);
});

test("null where nothing can run it, or nobody answers: the quote stands all the same", async () => {
  api.world.proof = undefined;
  const bare = await quoted();
  api.world.nodeDown = true;
  const down = await quoted({ takerAddress: ALICE });
  for (const { simulation, calldata, to } of [bare, down]) {
    expect(simulation).toBeNull();
    expect([calldata.length > 100, to]).toEqual([true, ROUTER]);
  }
  expect(bare.simulation_reason).toMatch(/^no node could run it: balance and allowance/);
  expect(down.simulation_reason).toBe("no node answered in time");
});

test("an allowance from after the offer's block contradicts nothing: the same route, and no pool is reported", async () => {
  const { ledger, reported } = api.world;
  ledger.balances.set(holding(WETH, ALICE), ONE);
  ledger.balances.set(holding(NATIVE, ALICE), ONE);
  ledger.allowances.set(holding(WETH, ALICE), ONE);
  const before = await quoted({ takerAddress: ALICE });
  ledger.approvedSince.add(holding(WETH, ALICE));
  const after = await quoted({ takerAddress: ALICE });
  ledger.approvedSince.clear();
  expect(after).toMatchObject({ simulated: true, notices: [], issues: {}, simulation: null });
  expect(after.route_graph.steps).toEqual(before.route_graph.steps);
  expect(after.estimate_gas_total).toBe(before.estimate_gas_total);
  expect(reported).toEqual([]);
});
