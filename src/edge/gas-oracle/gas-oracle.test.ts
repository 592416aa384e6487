import { expect, test } from "vitest";
import { silent } from "../../../test/faults/follow.ts";
import { levels } from "../../core/gas/levels.ts";
import type { Head } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import { createGasOracle } from "./gas-oracle.ts";

const head: Head = { number: 100, hash: "0x01", parentHash: "0x00", timestamp: 1 };
const GWEI = 1_000_000_000n;
const hex = (value: bigint) => `0x${value.toString(16)}`;
const failed = (kind: NodeFailure["kind"]): Answer => ({ ok: false, failure: new NodeFailure(kind, kind) });

type Terms = Pick<Parameters<typeof createGasOracle>[0], "leastSeconds" | "nextBaseFeeWei">;

function oracle(answers: Readonly<Record<string, unknown>>, terms: Terms = {}) {
  const asked: unknown[] = [];
  const answer = (method: string): Answer => {
    const result = answers[method];
    return result instanceof NodeFailure ? { ok: false, failure: result } : { ok: true, result };
  };
  const rpc: Rpc = {
    async batch(requests) {
      asked.push(...requests.map(({ method, params }) => [method, ...params]));
      return requests.map(({ method }) => answer(method));
    },
    async request(method) {
      const one = answer(method);
      if (one.ok) return one.result;
      throw one.failure;
    },
  };
  return { gas: createGasOracle({ rpc, log: silent, ...terms }), asked };
}

const history = {
  oldestBlock: "0x51",
  baseFeePerGas: [hex(8n * GWEI), hex(9n * GWEI), hex(10n * GWEI)],
  gasUsedRatio: [0.5, 0],
  reward: [
    [hex(1n), hex(2n), hex(3n)],
    ["0x0", "0x0", "0x0"],
  ],
};

test("prices come from the fee history up to the block, and empty blocks are left out", async () => {
  const { gas, asked } = oracle({ eth_feeHistory: history, eth_maxPriorityFeePerGas: hex(GWEI) });
  expect(gas.levels()).toBeUndefined();
  await gas.refresh(head);
  const tips = [{ low: 1n, medium: 2n, high: 3n }];
  expect(gas.levels()).toEqual(levels({ nextBaseFeeWei: 10n * GWEI, tips, suggestedTipWei: GWEI }));
  expect(asked).toEqual([["eth_feeHistory", "0x14", "0x64", [10, 50, 90]]]);
});

test("the node's suggested tip is read where no block of the history used gas", async () => {
  const empty = { ...history, gasUsedRatio: [0, 0] };
  const { gas } = oracle({ eth_feeHistory: empty, eth_maxPriorityFeePerGas: hex(7n * GWEI) });
  await gas.refresh(head);
  expect(gas.levels()).toEqual(levels({ nextBaseFeeWei: 10n * GWEI, tips: [], suggestedTipWei: 7n * GWEI }));
});

test("on a fast chain the fees of only some blocks are read", async () => {
  const { gas, asked } = oracle({ eth_feeHistory: history }, { leastSeconds: 3 });
  for (const timestamp of [1, 1, 2, 3, 4, 5]) await gas.refresh({ ...head, timestamp });
  expect(asked).toHaveLength(2);
});

test.each([
  ["no fee history", { eth_feeHistory: new NodeFailure("unsupported", "no") }],
  ["no base fee", { eth_feeHistory: { ...history, baseFeePerGas: ["0x0", "0x0", "0x0"] } }],
  ["a history without base fees", { eth_feeHistory: { ...history, baseFeePerGas: null } }],
])("a chain with %s is priced from eth_gasPrice", async (_what, answers) => {
  const { gas } = oracle({ ...answers, eth_maxPriorityFeePerGas: hex(GWEI), eth_gasPrice: hex(30n * GWEI) });
  await gas.refresh(head);
  expect(gas.levels()).toMatchObject({ baseFeeWei: 0n, low: { priceWei: 30n * GWEI } });
});

test("a node that fails leaves the last prices", async () => {
  const answers: Record<string, unknown> = { eth_feeHistory: history, eth_maxPriorityFeePerGas: hex(GWEI) };
  const { gas } = oracle(answers);
  await gas.refresh(head);
  const before = gas.levels();
  answers.eth_feeHistory = (failed("transport") as { failure: NodeFailure }).failure;
  await gas.refresh(head);
  expect(gas.levels()).toBe(before);
});

/**
 * The base fee that a block's header gives for the next block: 10 gwei after block 100, and 1 gwei more after each
 * later one.
 */
const risen = ({ number }: Head) => BigInt(number - 90) * GWEI;

test("where the history agrees with Ethereum's rule, headers give the base fee and tips are read every fifth block", async () => {
  const { gas, asked } = oracle({ eth_feeHistory: history }, { nextBaseFeeWei: risen });
  const tips = [{ low: 1n, medium: 2n, high: 3n }];
  for (const number of [100, 101, 102, 103, 104]) {
    await gas.refresh({ ...head, number });
    const nextBaseFeeWei = risen({ ...head, number });
    expect(gas.levels()).toEqual(levels({ nextBaseFeeWei, tips, suggestedTipWei: GWEI }));
  }
  expect(asked).toHaveLength(1);
  await gas.refresh({ ...head, number: 105 });
  expect(asked).toHaveLength(2);
});

test("on a chain with another base fee rule the fees of each block are read", async () => {
  const { gas, asked } = oracle(
    { eth_feeHistory: history },
    { nextBaseFeeWei: (block) => risen(block) + 1n },
  );
  for (const number of [100, 101, 102]) await gas.refresh({ ...head, number });
  expect(asked).toHaveLength(3);
  expect(gas.levels()?.baseFeeWei).toBe(10n * GWEI);
});
