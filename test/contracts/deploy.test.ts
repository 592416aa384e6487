import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy } from "../../scripts/contracts/deploy.ts";
import { CREATE2_DEPLOYER, ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import { type Anvil, inPrivateFolder, startAnvil } from "../../src/devnet/node/anvil.ts";
import { claimPort } from "../../src/devnet/node/port.ts";

const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const CHAIN = 31337;
let node: Anvil;
let fresh: string;

beforeAll(async () => {
  const host = "127.0.0.1";
  const port = await claimPort(host, 0);
  node = await inPrivateFolder((home) => startAnvil({ host, port, arguments: [] }, home));
  fresh = await node.rpc.call("evm_snapshot");
});

afterAll(() => node.kill());

const reset = async () => {
  await node.rpc.call("evm_revert", [fresh]);
  fresh = await node.rpc.call("evm_snapshot");
};

test.each([
  ["the node's own account", undefined],
  ["a key", KEY],
] as const)("deploys once by %s, then finds it there", async (_, key) => {
  await reset();
  const first = await deploy({ chainId: CHAIN, url: node.url, key });
  expect(first.address).toBe(ROUTER_ADDRESS);
  expect(first.transaction).toMatch(/^0x[0-9a-f]{64}$/);
  const second = await deploy({ chainId: CHAIN, url: node.url, key });
  expect(second).toEqual({ address: ROUTER_ADDRESS, transaction: undefined, gas: 0n });
});

test("another chain is refused, by no more of the node's address than where it leads", async () => {
  const keyed = deploy({ chainId: 1, url: `${node.url}/?key=KEY9f3c`, key: undefined });
  await expect(keyed).rejects.toThrow(
    new RegExp(`^The node at ${new URL(node.url).origin} serves chain 31337, not 1`),
  );
  await expect(deploy({ chainId: 1, url: node.url, key: undefined })).rejects.toThrow(/serves chain 31337/);
});

test("other code at the address is refused", async () => {
  await reset();
  await node.rpc.call("anvil_setCode", [ROUTER_ADDRESS, "0x6001"]);
  await expect(deploy({ chainId: CHAIN, url: node.url, key: undefined })).rejects.toThrow(/Other code lies/);
});

test("a chain without the deterministic deployer is refused", async () => {
  await reset();
  await node.rpc.call("anvil_setCode", [CREATE2_DEPLOYER, "0x"]);
  await expect(deploy({ chainId: CHAIN, url: node.url, key: undefined })).rejects.toThrow(
    /no deterministic deployer/,
  );
});
