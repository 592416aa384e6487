import { describe, expect, test } from "vitest";
import type { Head } from "../../../core/types.ts";
import type { Transaction } from "../../../service/ports/ports.ts";
import type { Answer } from "../endpoint.ts";
import { failureOf, NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import { createNodePort } from "./node-port.ts";

const transaction: Transaction = { from: "0x01", to: "0x02", data: "0x03", value: 4n };
const on: Head = { number: 16, hash: `0x${"ab".repeat(32)}`, parentHash: "0x00", timestamp: 1000 };

type Node = (method: string, params: readonly unknown[]) => unknown;

/**
 * A port over a node that answers with what `node` returns, or fails with what it throws.
 *
 * @param blocks gets the block that each request to the client names
 */
function port(node: Node, blocks: unknown[] = []) {
  const answer = (method: string, params: readonly unknown[]): Answer => {
    try {
      return { ok: true, result: node(method, params) };
    } catch (error) {
      return { ok: false, failure: error instanceof NodeFailure ? error : failureOf(error) };
    }
  };
  const rpc: Rpc = {
    batch: async (requests, options) => {
      blocks.push(options?.block);
      return requests.map(({ method, params }) => answer(method, params));
    },
    request: () => Promise.reject(new Error("not used")),
  };
  return createNodePort(rpc, 1000, 1000);
}

/** A node whose eth_simulateV1 gives this result, and whose other methods revert. */
const simulating = (result: unknown) =>
  port((method) => (method === "eth_simulateV1" ? result : fail(3, "execution reverted")));

function fail(code: number, message: string, data?: string): never {
  throw { code, message, data };
}

const ran = (call: object) => [{ number: "0x11", calls: [call] }];

test("a simulation runs in the block after the given one, and asks for the gas limit in the same batch", async () => {
  const seen: unknown[] = [];
  const { simulate } = port((method, params) => {
    seen.push([method, ...params]);
    return method === "eth_estimateGas"
      ? "0xea60"
      : ran({ status: "0x1", gasUsed: "0xc350", returnData: "0x07" });
  });
  expect(await simulate(transaction, on)).toEqual({
    ok: true,
    gasUsed: 60_000n,
    method: "eth_simulateV1",
    data: "0x07",
    blockHash: on.hash,
  });
  const call = { from: "0x01", to: "0x02", data: "0x03", value: "0x4" };
  const where = { blockHash: on.hash };
  expect(seen).toEqual([
    ["eth_simulateV1", { blockStateCalls: [{ blockOverrides: { time: "0x3e9" }, calls: [call] }] }, where],
    ["eth_estimateGas", call, where, {}, { time: "0x3e9" }],
  ]);
});

test("where an estimate takes no block time, it runs at the block's own time and 9 % is added", async () => {
  const { simulate } = port((method, params) => {
    if (method !== "eth_estimateGas") return ran({ status: "0x1", gasUsed: "0xc350", returnData: "0x07" });
    return params.length > 2 ? fail(-32602, "too many arguments, want at most 3") : "0xea60";
  });
  expect(await simulate(transaction, on)).toMatchObject({ ok: true, gasUsed: 65_400n });
});

describe("with a gas price", () => {
  const dear = { ...transaction, gasPriceWei: 10n ** 9n };
  const [funded, empty] = [{ status: "0x1", gasUsed: "0x6fbb", returnData: "0x" }, { status: "0x0" }];
  const paid = { status: "0x1", gasUsed: "0xc350", returnData: "0x07" };
  const at = (params: readonly unknown[]) =>
    (params as [{ blockStateCalls: { calls: { gasPrice?: string }[] }[] }])[0].blockStateCalls[0]!;

  /** Answers of a node to both forms of the simulation, by whether it is at a gas price; and the forms asked for. */
  async function simulated(priced: () => unknown, free: () => unknown, where?: Head) {
    const forms: unknown[] = [];
    const { simulate } = port((method, params) => {
      if (method !== "eth_simulateV1") fail(3, "execution reverted");
      forms.push(at(params));
      return at(params).calls.length === 2 ? priced() : free();
    });
    return { result: await simulate(dear, where), forms };
  }

  test("another account pays for the gas first, and the sender's balance is not overridden", async () => {
    for (const where of [on, undefined]) {
      const { result, forms } = await simulated(
        () => [{ calls: [funded, paid] }],
        fail.bind(null, 3, ""),
        where,
      );
      expect(result).toMatchObject({ ok: true, data: "0x07", gasUsed: 50_000n });
      expect(forms).toEqual([
        {
          ...(where === undefined ? {} : { blockOverrides: { time: "0x3e9" } }),
          stateOverrides: {
            "0x000000000000000000000000000000005a4d14b1": { balance: "0x354a6ba7a18000", code: "0x7301ff" },
          },
          calls: [
            { from: `0x${"0".repeat(40)}`, to: "0x000000000000000000000000000000005a4d14b1", gas: "0x30d40" },
            { from: "0x01", to: "0x02", data: "0x03", value: "0x4", gas: "0xe4e1c0", gasPrice: "0x3b9aca00" },
          ],
        },
      ]);
    }
  });

  test("a revert at the price is an answer", async () => {
    const { result, forms } = await simulated(
      () => [{ calls: [funded, { status: "0x0", gasUsed: "0x5208", returnData: "0xabcd" }] }],
      () => [{ calls: [paid] }],
    );
    expect(result).toMatchObject({ ok: false, data: "0xabcd" });
    expect(forms).toHaveLength(1);
  });

  test.each([
    ["the sender cannot pay", () => fail(-38014, "insufficient funds for gas * price + value")],
    ["the node takes no gas price", () => fail(-32602, "invalid params")],
    ["nobody paid for the gas", () => [{ calls: [empty, empty] }]],
    ["the answer cannot be parsed", () => "0x"],
  ])("where %s it is simulated at a price of 0", async (_why, priced) => {
    for (const where of [on, undefined]) {
      const { result, forms } = await simulated(priced, () => [{ calls: [paid] }], where);
      expect(result).toMatchObject({ ok: true, data: "0x07" });
      expect(forms.length).toBe(2);
    }
  });
});

test("a revert is an answer, with its data", async () => {
  const simulated = simulating(ran({ status: "0x0", gasUsed: "0x5208", returnData: "0x08c379a0" }));
  expect(await simulated.simulate(transaction, on)).toMatchObject({ ok: false, data: "0x08c379a0" });
  const inError = simulating(
    ran({ status: "0x0", gasUsed: "0x5208", returnData: "0x", error: { code: 3, data: "0xabcd" } }),
  );
  expect(await inError.simulate(transaction)).toMatchObject({ ok: false, data: "0xabcd" });
});

test("without eth_simulateV1 the call is run and its gas estimated", async () => {
  const { simulate } = port((method) => {
    if (method === "eth_simulateV1") fail(-32601, "method not found");
    return method === "eth_call" ? "0x09" : "0x5208";
  });
  expect(await simulate(transaction, on)).toEqual({
    ok: true,
    gasUsed: 22_890n,
    method: "eth_call",
    data: "0x09",
    blockHash: on.hash,
  });
  expect(await simulate(transaction)).toEqual({
    ok: true,
    gasUsed: 22_890n,
    data: "0x09",
    method: "eth_call",
  });
});

test("without eth_simulateV1 a revert still has its data", async () => {
  const { simulate } = port((method) => {
    if (method === "eth_simulateV1") fail(-32601, "method not found");
    return fail(3, "execution reverted", "0x08c379a0");
  });
  expect(await simulate(transaction, on)).toMatchObject({
    ok: false,
    data: "0x08c379a0",
    blockHash: on.hash,
  });
});

test("where the block is not known the simulation runs on the newest state, and the result names no block", async () => {
  const { simulate } = port((method, params) => {
    if (params.at(-1) !== "latest") fail(-32000, "header not found");
    if (method === "eth_estimateGas") return "0x5208";
    return ran({ status: "0x1", gasUsed: "0xc350", returnData: "0x07" });
  });
  const result = await simulate(transaction, on);
  expect(result).toMatchObject({ ok: true, data: "0x07" });
  expect(result.blockHash).toBeUndefined();
});

test("reads of the newest state go to an endpoint at the highest head, a simulation to one with its block", async () => {
  const blocks: unknown[] = [];
  const { call, getBalance, simulate } = port(
    (method) => (method === "eth_simulateV1" ? [] : "0x01"),
    blocks,
  );
  await call("0x01", "0x");
  await getBalance("0x01");
  await simulate(transaction).catch(() => undefined);
  expect(blocks).toEqual(["newest", "newest", "newest"]);
  await simulate(transaction, on).catch(() => undefined);
  expect(blocks.slice(3)).toEqual([on.number]);
});

test("no answer, or one that cannot be parsed, is STALE_STATE", async () => {
  const down = port(() => {
    throw new NodeFailure("transport", "down");
  });
  for (const work of [down.call("0x01", "0x"), down.getBalance("0x01"), down.simulate(transaction, on)]) {
    await expect(work).rejects.toMatchObject({ reason: "STALE_STATE" });
  }
  const mad = port(() => "not hex");
  await expect(mad.getBalance("0x01")).rejects.toMatchObject({ reason: "STALE_STATE" });
});
