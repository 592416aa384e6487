import { afterAll, expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { startDevnet } from "../index.ts";
import { WETH } from "../plan/addresses.ts";
import { createRpc, quantity } from "../rpc.ts";

const devnet = await startDevnet({
  chainId: 31337,
  port: 0,
  dataDir: undefined,
  traffic: false,
  log: () => undefined,
});
afterAll(() => devnet.stop());

const rpc = createRpc(devnet.url);
const number = async () => Number(await rpc.call<Hex>("eth_blockNumber"));
const until = async (block: number) => {
  while ((await number()) < block) await new Promise((resolve) => setTimeout(resolve, 50));
};

test("a chain that mines on its own keeps the states of its newest blocks only", async () => {
  await until((await number()) + 1);
  await rpc.call("anvil_mine", ["0x96"]);
  const head = await number();
  const supplyAt = (block: number) =>
    rpc.call<Hex>("eth_call", [{ to: WETH, data: "0x18160ddd" }, quantity(block)]);
  expect(Number(await supplyAt(head - 100))).toBeGreaterThan(0);
  await expect(supplyAt(head - 140)).rejects.toThrow();
});

test("who sets the interval of the node takes the mining over: 0 stops it", async () => {
  await rpc.call("evm_setIntervalMining", [0]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const head = await number();
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(await number()).toBe(head);
  await rpc.call("evm_setIntervalMining", [1]);
  await until(head + 2);
});
