import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Recorded, replay } from "../../scripts/replay/run.ts";
import { devnetChain } from "../../src/devnet/index.ts";
import { type Stack, startStack } from "../support/stack.ts";

/** Answers of a service on a devnet whose prices move, made again from the node alone. */

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";
const FEES = { feeRecipient: "0x000000000000000000000000000000000000fee5", buyTokenPercentageFee: "3" };

let stack: Stack;
beforeAll(async () => {
  // Searches may take their time: what is compared are complete ones.
  stack = await startStack({ DEVNET_TRAFFIC: "true", ROUTE_BUDGET_MS: "20000" });
  await wait(4_000);
});
afterAll(() => stack.stop());

async function recordOf(
  path: string,
  query: Record<string, string>,
): Promise<{ id: string; recorded: Recorded }> {
  const pair = { fromTokenAddress: NATIVE, toTokenAddress: USDC, slippage: "10", ...query };
  const answer = await fetch(`${stack.url}/v1/31337/${path}?${new URLSearchParams(pair)}`);
  const { quote_id: id } = (await answer.json()) as { quote_id: string };
  const kept = await fetch(`${stack.url}/v1/31337/quotes/${id}`);
  return { id, recorded: (await kept.json()) as Recorded };
}

const again = (recorded: Recorded) =>
  replay({ recorded, chain: devnetChain(31337, 1000), rpc: stack.rpc, recipient: undefined });

const SAME = { block: true, otherStates: [], route: true, amounts: true };

test.each([
  ["price", { amount: "1000000000000000000" }],
  ["price", { amount: "300000000000000000000", withGas: "true" }],
  ["quote", { amount: "40000000000000000000", toTokenAddress: DAI, ...FEES }],
  [
    "quote",
    { amount: "20000000000", side: "BUY", takerAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266" },
  ],
])("a complete %s of %o comes out the same, block by block later", async (path, query) => {
  const { recorded } = await recordOf(path, query);
  expect(recorded.complete).toBe(true);
  await wait(2_000);
  const calldata = path === "quote" ? true : null;
  expect(await again(recorded)).toMatchObject({ ...SAME, calldata });
});

test("a record that was tampered with is not what comes out", async () => {
  const { recorded } = await recordOf("quote", { amount: "1000000000000000000" });
  const steps = recorded.steps.map((step, k) => (k === 0 ? { ...step, amount_out: "1" } : step));
  const states = recorded.states.map(({ id }) => ({ id, digest: "0".repeat(64) }));
  const told = await again({ ...recorded, steps, states, amount_out_total: "1" });
  expect(told).toMatchObject({ block: true, states: false, route: false, amounts: false, calldata: true });
});

test("a share that was changed by little is not what was signed", async () => {
  const { recorded } = await recordOf("quote", { amount: "1000000000000000000" });
  const steps = recorded.steps.map((step) => ({ ...step, share_q32: step.share_q32 - 256 }));
  expect(await again({ ...recorded, steps })).toMatchObject({ ...SAME, calldata: false });
});

test("a node that is none, or is not of the block, ends a replay before it waits for it", async () => {
  const { recorded } = await recordOf("price", { amount: "1000000000000000000" });
  const from = (rpc: string, more: object = {}) =>
    replay({
      recorded: { ...recorded, ...more },
      chain: devnetChain(31337, 1000),
      rpc,
      recipient: undefined,
    });
  await expect(from("http://127.0.0.1:1")).rejects.toThrow();
  const later = recorded.block_number + 1_000_000;
  await expect(from(stack.rpc, { block_number: later })).rejects.toThrow(`block ${later} is unknown`);
  await expect(from(stack.rpc, { block_hash: "0x1" })).rejects.toThrow(/ is 0x[0-9a-f]{64}, not 0x1\.$/);
});

test("the command says so, part by part", async () => {
  const { id } = await recordOf("quote", { amount: "1000000000000000000" });
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["scripts/replay/main.ts", id, "--url", stack.url]);
  for (const part of ["block", "route", "amounts", "calldata"])
    expect(stdout).toMatch(new RegExp(`^${part} +the same$`, "m"));
  const unknown = await run(process.execPath, [
    "scripts/replay/main.ts",
    "0".repeat(32),
    "--url",
    stack.url,
  ]).catch((error: { code: number; stderr: string }) => error);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("names no answer that is kept") });
});
