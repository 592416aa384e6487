import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRecords, isWrong, type Node } from "../../scripts/chain-records.ts";
import type { Deployment, Hex } from "../../src/core/types.ts";
import { type Devnet, startDevnet } from "../../src/devnet/index.ts";
import { createRpc } from "../../src/devnet/rpc.ts";
import { protocols } from "../../src/protocols/index.ts";

let devnet: Devnet;
let node: Node;

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  const rpc = createRpc(devnet.url);
  node = {
    codeAt: (address) => rpc.call<Hex>("eth_getCode", [address, "latest"]),
    call: ({ to, data }) => rpc.call<Hex>("eth_call", [{ to, data }, "latest"]).catch((): Hex => "0x"),
    at: { blockNumber: 5, timestamp: 2_000_000_000 },
  };
});
afterAll(() => devnet?.stop());

const recordOf = (id: string) => devnet.chain.deployments.find((one) => one.id === id)!;

/** What is said of one record that is not as it should be. */
async function checked(record: Deployment) {
  const [check] = await checkRecords({ ...devnet.chain, deployments: [record] }, protocols, node);
  return check!;
}

test("every record of the devnet is as its node says, and most show a pool", async () => {
  const checks = await checkRecords(devnet.chain, protocols, node);
  expect(checks.filter(isWrong)).toEqual([]);
  expect(checks.filter(({ findings }) => findings.code.kind === "same")).toHaveLength(checks.length);
  expect(checks.filter(({ findings }) => findings.state.kind === "same").length).toBeGreaterThan(15);
  expect(checks.filter(({ findings }) => findings.sample.kind === "same").length).toBeGreaterThan(8);
});

test("a factory at an address without code differs", async () => {
  const check = await checked({
    ...recordOf("sushi-v2"),
    factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ad",
  });
  expect(check.findings.code).toMatchObject({ kind: "different" });
  expect(isWrong(check)).toBe(true);
});

test("a factory of another design differs", async () => {
  const check = await checked({ ...recordOf("uniswap-v3"), factory: recordOf("sushi-v2").factory });
  expect(check.findings.answers).toMatchObject({ kind: "different" });
});

test("a contract that hands out the pools of another factory differs", async () => {
  const { factory } = recordOf("uniswap-v2");
  const record = { ...recordOf("uniswap-v2"), factory: recordOf("sushi-v2").factory };
  // As a contract would that passes questions on to the real factory.
  const passing: Node = {
    ...node,
    call: (call) => node.call(call.to === record.factory ? { ...call, to: factory } : call),
  };
  const [check] = await checkRecords({ ...devnet.chain, deployments: [record] }, protocols, passing);
  expect(check!.findings.sample).toMatchObject({ kind: "different" });
});

test("a sample pool that its design does not understand differs", async () => {
  const check = await checked({ ...recordOf("erc4626"), factory: recordOf("uniswap-v2").factory });
  expect(check.findings.state).toMatchObject({ kind: "different" });
});

test("the command ends with 0 where nothing differs, and with 2 where the node is of another chain", () => {
  const run = (...more: string[]) =>
    spawnSync(process.execPath, ["scripts/check-chain.ts", ...more], { encoding: "utf8" });
  const right = run("--chain", "31337", "--rpc", devnet.url);
  expect(right.stdout).toMatch(/\d+ records of Braid devnet, 0 differ/);
  expect(right.status).toBe(0);
  const other = run("--chain", "1", "--rpc", devnet.url);
  expect([other.status, other.stderr]).toEqual([2, "--rpc: the node is of chain 31337, not 1\n"]);
  expect(run("--chain", "31337").status).toBe(2);
});

test("the command ends with 1 where records differ: a devnet is no Ethereum, though it has its id", async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  const posing = await startDevnet({ chainId: 1, port: 0, dataDir: undefined, ...quiet });
  try {
    const asked = ["scripts/check-chain.ts", "--chain", "1", "--rpc", posing.url];
    const { status, stdout } = spawnSync(process.execPath, asked, { encoding: "utf8" });
    expect(stdout).toMatch(/DIFFERS: none at 0x/);
    expect(stdout).toMatch(/\d+ records of Ethereum, [1-9]\d* differ/);
    expect(status).toBe(1);
  } finally {
    await posing.stop();
  }
});
