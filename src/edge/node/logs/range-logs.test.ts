import { expect, test } from "vitest";
import type { Answer } from "../endpoint.ts";
import { failureOf } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import { logsInRange, suggestedWindow } from "./range-logs.ts";

test.each([
  ["Try with this block range [0x64, 0xc7].", 100, { blocks: 100, always: false }],
  ["this block range should work: [100, 149]", 100, { blocks: 50, always: false }],
  ["this block range should work: [7, 149]", 100, undefined],
  ["eth_getLogs is limited to a 10 block range", 0, { blocks: 10, always: true }],
  ["up to a 2K block range", 0, { blocks: 2000, always: true }],
  ["maximum is 10,000 blocks", 0, { blocks: 10_000, always: true }],
  ["query returned more than 10000 results", 0, undefined],
])("%s", (text, first, expected) => {
  expect(suggestedWindow(text, first)).toEqual(expected);
});

type Limit = (first: number, last: number) => { code: number; message: string } | undefined;

/** A node that has one log in every block and refuses ranges by `limit`. */
function limited(limit: Limit): { rpc: Rpc; asked: [number, number][] } {
  const asked: [number, number][] = [];
  const batch: Rpc["batch"] = async ([request]) => {
    const { fromBlock, toBlock } = request!.params[0] as { fromBlock: string; toBlock: string };
    const [first, last] = [Number(fromBlock), Number(toBlock)];
    asked.push([first, last]);
    const refusal = limit(first, last);
    if (refusal !== undefined) return [{ ok: false, failure: failureOf(refusal) } satisfies Answer];
    const numbers = Array.from({ length: last - first + 1 }, (_, k) => first + k);
    return [{ ok: true, result: numbers.map(logOf) }];
  };
  return { rpc: { batch, request: () => Promise.reject(new Error("not used")) }, asked };
}

function logOf(number: number) {
  return {
    address: `0x${"ab".repeat(20)}`,
    topics: [`0x${"01".repeat(32)}`],
    data: "0x",
    blockNumber: `0x${number.toString(16)}`,
    blockHash: `0x${"02".repeat(32)}`,
    logIndex: "0x0",
  };
}

async function readAll(rpc: Rpc, last: number): Promise<number[]> {
  const settings = { firstWindow: 64, maxWindow: 100_000, deadlineMs: 1000 };
  const numbers: number[] = [];
  const range = { first: 5, last, addresses: [], topics: [] };
  for await (const page of logsInRange(rpc, range, settings))
    numbers.push(...page.map((log) => log.blockNumber));
  return numbers;
}

const whole = (last: number) => Array.from({ length: last - 4 }, (_, k) => k + 5);

test("a limit on the width of a range is learnt from the text of the refusal", async () => {
  const { rpc, asked } = limited((first, last) =>
    last - first + 1 > 10
      ? { code: -32000, message: "eth_getLogs is limited to a 10 block range" }
      : undefined,
  );
  expect(await readAll(rpc, 500)).toEqual(whole(500));
  expect(asked.filter(([first, last]) => last - first + 1 > 10)).toHaveLength(1);
});

test("a refusal that names no width is met by halving the range", async () => {
  const { rpc } = limited((first, last) =>
    last - first + 1 > 7 ? { code: -32005, message: "query returned more than 7 results" } : undefined,
  );
  expect(await readAll(rpc, 300)).toEqual(whole(300));
});

test("without limits the width of the ranges grows", async () => {
  const { rpc, asked } = limited(() => undefined);
  expect(await readAll(rpc, 20_000)).toEqual(whole(20_000));
  expect(asked.length).toBeLessThan(12);
});

test("one block that is refused is an error, not a gap", async () => {
  const { rpc } = limited((first, last) =>
    first <= 40 && last >= 40 ? { code: -32005, message: "response size exceeded" } : undefined,
  );
  await expect(readAll(rpc, 100)).rejects.toMatchObject({ kind: "range" });
});

test("a node that does not have the last block yet says nothing about the width of a range", async () => {
  const { rpc, asked } = limited((_, last) =>
    last === 100 ? { code: -32602, message: "block range extends beyond current head block" } : undefined,
  );
  await expect(readAll(rpc, 100)).rejects.toMatchObject({ kind: "missing" });
  expect(asked).toEqual([
    [5, 68],
    [69, 100],
  ]);
});
