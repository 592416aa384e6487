import { expect, test } from "vitest";
import { counterChain, MULTICALL } from "../../../test/faults/counter.ts";
import { createFakeChain } from "../../../test/faults/fake-chain.ts";
import { type Answering, directEndpoint, silent } from "../../../test/faults/follow.ts";
import type { Hex } from "../../core/types.ts";
import { defaultEdgeSettings, nodeSettings } from "../settings.ts";
import type { Endpoint } from "./endpoint.ts";
import { createReader } from "./node.ts";
import { createSeals } from "./sealed/seal.ts";
import { createRpc } from "./transport/rpc.ts";

const chain = createFakeChain();
for (let k = 0; k < 5; k++) chain.mine();
const block = (number: number) => chain.at(number)!;

/** Reads from endpoints that are asked in this order. */
function readerOf(...answering: readonly Answering["answer"][]) {
  const endpoints = answering.map((answer, k): Endpoint => {
    const endpoint = directEndpoint({ tip: chain.tip, answer });
    return { ...endpoint, label: `node ${k}`, waitMs: () => k };
  });
  const settings = nodeSettings(counterChain(), defaultEdgeSettings);
  const rpc = createRpc(endpoints, settings, new AbortController().signal);
  const facts = { rpc, multicall: MULTICALL, settings, seals: createSeals(), log: silent };
  return createReader({ ...facts, onDispute: () => undefined });
}

const shown = (number: number) => chain.answer("eth_getBlockByNumber", [`0x${number.toString(16)}`]);

test("a header that one endpoint does not know is asked for at the next", async () => {
  const reader = readerOf(() => null, chain.answer);
  expect(await reader.headerByHash(block(3).hash)).toMatchObject({ number: 3 });
  const headers = await reader.headersByNumber(2, 4);
  expect(headers.map((header) => header?.hash)).toEqual([2, 3, 4].map((number) => block(number).hash));
});

test("a header of another number or hash than the one asked for is asked for at the next", async () => {
  const reader = readerOf(() => shown(1), chain.answer);
  expect(await reader.headerByHash(block(3).hash)).toMatchObject({ number: 3 });
  const headers = await reader.headersByNumber(2, 4);
  expect(headers.map((header) => header?.hash)).toEqual([2, 3, 4].map((number) => block(number).hash));
});

test("a header that nobody knows is none, and one that is answered for every number is refused", async () => {
  const unknown: Hex = `0x${"0b".repeat(32)}`;
  expect(await readerOf(chain.answer).headerByHash(unknown)).toBeUndefined();
  expect(await readerOf(chain.answer).headersByNumber(5, 6)).toMatchObject([{ number: 5 }, undefined]);
  await expect(readerOf(() => shown(2)).headersByNumber(3, 3)).rejects.toMatchObject({ kind: "refused" });
});
