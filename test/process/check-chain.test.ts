import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRecords, isWrong, type Node, predictPool } from "../../scripts/chains/records.ts";
import { chains } from "../../src/chains/index.ts";
import type { Address, Call, Deployment, Hex } from "../../src/core/types.ts";
import { type Devnet, startDevnet } from "../../src/devnet/index.ts";
import { createRpc } from "../../src/devnet/rpc.ts";
import { protocols } from "../../src/protocols/index.ts";

const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const WBNB = "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c";
const BUSD = "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56";
const USDT = "0x55d398326f99059fF775485246999027B3197955";
const WETH_ON_BASE = "0x4200000000000000000000000000000000000006";
const WETH_ON_OPTIMISM = WETH_ON_BASE;
const USDC_ON_OPTIMISM = "0x7F5c764cBc14f9669B88837ca1490cCa17c31607";
const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const DAI_ON_POLYGON = "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063";
const WMATIC = "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270";
const WETH_ON_POLYGON = "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619";

let devnet: Devnet;
let node: Node;

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  const rpc = createRpc(devnet.url);
  const head = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  node = {
    codeAt: (address) => rpc.call<Hex>("eth_getCode", [address, "latest"]),
    call: ({ to, data }) => rpc.call<Hex>("eth_call", [{ to, data }, "latest"]).catch((): Hex => "0x"),
    at: { blockNumber: Number(head.number), timestamp: Number(head.timestamp) },
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

test("a first block above the newest one differs", async () => {
  const { blockNumber } = node.at;
  const late = await checked({ ...recordOf("uniswap-v2"), fromBlock: blockNumber + 1 });
  expect(late.findings.first).toEqual({
    kind: "different",
    text: `block ${blockNumber + 1}, the newest is ${blockNumber}`,
  });
  expect(isWrong(late)).toBe(true);
  const there = await checked({ ...recordOf("uniswap-v2"), fromBlock: blockNumber });
  expect(there.findings.first).toMatchObject({ kind: "same" });
});

test("a factory of another design differs", async () => {
  const check = await checked({ ...recordOf("uniswap-v3"), factory: recordOf("sushi-v2").factory });
  expect(check.findings.answers).toMatchObject({ kind: "different" });
});

test("without Multicall3 a pool's state is read call by call, and with it by few requests", async () => {
  let asked = 0;
  const call = (one: Call) => {
    asked++;
    return node.call(one);
  };
  const counting: Node = { ...node, call };
  const deployments = [recordOf("uniswap-v2")];
  const without: Address = "0x00000000000000000000000000000000000000a1";
  const [alone] = await checkRecords(
    { ...devnet.chain, deployments, multicall: without },
    protocols,
    counting,
  );
  expect(alone!.findings.state).toMatchObject({ kind: "same" });
  asked = 0;
  const [together] = await checkRecords(
    { ...devnet.chain, deployments: [recordOf("uniswap-v3")] },
    protocols,
    counting,
  );
  expect(together!.findings.state).toMatchObject({ kind: "same" });
  expect(asked).toBeLessThan(20);
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

test.each([
  ["uniswap-v2", "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"],
  ["sushi-v2", "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303"],
  ["uniswap-v3", "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"],
] as const)(
  "the init code hash of %s predicts the pool that its factory names, and another hash does not",
  async (id, initCodeHash) => {
    const right = await checked({ ...recordOf(id), initCodeHash });
    expect(right.findings.address).toEqual({ kind: "same", text: "predicted" });
    const wrong = await checked({ ...recordOf(id), initCodeHash: `${initCodeHash.slice(0, -1)}0` as Hex });
    expect(wrong.findings.address).toMatchObject({ kind: "different" });
    expect(isWrong(wrong)).toBe(true);
    const elsewhere = await checked({
      ...recordOf(id),
      initCodeHash,
      poolDeployer: recordOf("erc4626").factory,
    });
    expect(elsewhere.findings.address).toMatchObject({ kind: "different" });
  },
);

/** Pools that everybody knows, by the record that has to predict them: chain, record, tokens, key, pool. */
const known: readonly (readonly [number, string, Address, Address, number | undefined, Address])[] = [
  [1, "uniswap-v2", USDC, WETH, undefined, "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc"],
  [1, "sushi-v2", USDC, WETH, undefined, "0x397FF1542f962076d0BFE58eA045FfA2d347ACa0"],
  [1, "uniswap-v3", USDC, WETH, 500, "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640"],
  [56, "pancakeswap-v2", WBNB, BUSD, undefined, "0x58F876857a02D6762E0101bb5C46A8c1ED44Dc16"],
  [56, "pancakeswap-v3", WBNB, USDT, 500, "0x36696169C63e42cd08ce11f5deeBbCeBae652050"],
  [8453, "aerodrome", WETH_ON_BASE, USDC_ON_BASE, 0, "0xcDAC0d6c6C59727a65F871236188350531885C43"],
  [10, "velodrome-v1", WETH_ON_OPTIMISM, USDC_ON_OPTIMISM, 0, "0x79c912FEF520be002c2B6e57EC4324e260f38E50"],
  [10, "velodrome-v2", WETH_ON_OPTIMISM, USDC_ON_OPTIMISM, 0, "0x0493Bf8b6DBB159Ce2Db2E0E8403E753Abd1235b"],
  [137, "quickswap-v3", WMATIC, WETH_ON_POLYGON, undefined, "0x479e1B71A702a595e19b6d5932CD5c863ab57ee0"],
  [137, "w-dex", WMATIC, DAI_ON_POLYGON, undefined, "0xc855279394223bef22a9db7a27f8c2bb6c6c0c34"],
  [8453, "quickswap-v4", WETH_ON_BASE, USDC_ON_BASE, undefined, "0x5a9ad2bb92b0b3e5c571fdd5125114e04e02be1a"],
  [8453, "trebleswap", WETH_ON_BASE, USDC_ON_BASE, undefined, "0x82e4c6da2d953f074329481ca3c770ba74a8961a"],
];

test.each(known)("on chain %i, %s predicts the pool of %s and %s, %s: %s", (...row) => {
  const [chainId, id, a, b, key, pool] = row;
  const chain = chains.find((one) => one.id === chainId)!;
  const record = chain.deployments.find((one) => one.id === id)!;
  const pair = [a, b].map((token) => token.toLowerCase()).sort() as [Address, Address];
  expect(predictPool(record, pair, key)).toBe(pool.toLowerCase());
});

test("a sample pool that its design does not understand differs", async () => {
  const check = await checked({ ...recordOf("erc4626"), factory: recordOf("uniswap-v2").factory });
  expect(check.findings.state).toMatchObject({ kind: "different" });
});

test("the command ends with 0 where nothing differs, and with 2 where the node is of another chain", () => {
  const run = (...more: string[]) =>
    spawnSync(process.execPath, ["scripts/chains/check-chain.ts", ...more], { encoding: "utf8" });
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
    const asked = ["scripts/chains/check-chain.ts", "--chain", "1", "--rpc", posing.url];
    const { status, stdout } = spawnSync(process.execPath, asked, { encoding: "utf8" });
    expect(stdout).toMatch(/DIFFERS: none at 0x/);
    expect(stdout).toMatch(/\d+ records of Ethereum, [1-9]\d* differ/);
    expect(status).toBe(1);
  } finally {
    await posing.stop();
  }
});
