import { pino } from "pino";
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { expect, test } from "vitest";
import { MULTICALL, word } from "../../../test/faults/counter.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Answer } from "./endpoint.ts";
import { createReads } from "./reads.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { Rpc } from "./transport/rpc.ts";

const block = { number: 16, hash: `0x${"ab".repeat(32)}` } as const;
const settings = { multicallSize: 8, lanes: 2, deadlineMs: 1000 };
const target = (k: number): Address => `0x${k.toString(16).padStart(40, "0")}`;
const calls = Array.from({ length: 20 }, (_, k) => ({ to: target(k + 1), data: "0x01" as Hex }));
const numbers = calls.map((_, k) => word(BigInt(k + 1)));

type EthCall = { to: Address; data: Hex };
type Node = {
  /** The answer of one contract, called by itself. */
  one?: (to: Address) => Answer;
  /** The results of a packed call. */
  many?: (targets: readonly Address[]) => Answer;
  blockHash?: Hex;
  takesHash?: boolean;
};

const ok = (result: unknown): Answer => ({ ok: true, result });
const failed = (kind: NodeFailure["kind"]): Answer => ({ ok: false, failure: new NodeFailure(kind, kind) });
const itself = (to: Address) => ok(word(BigInt(to)));

function packed(results: readonly { success: boolean; returnData: Hex }[]): Answer {
  return ok(encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: results }));
}

function reads(node: Node) {
  const asked: string[] = [];
  const answer = (method: string, params: readonly unknown[]): Answer => {
    if (method === "eth_getBlockByNumber") return ok({ hash: node.blockHash ?? block.hash });
    if (node.takesHash === false && typeof params[1] !== "string") return failed("unsupported");
    const { to, data } = params[0] as EthCall;
    asked.push(to);
    if (to !== MULTICALL) return (node.one ?? itself)(to);
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const targets = (args as unknown as [{ target: Address }[]])[0].map(
      (one) => one.target.toLowerCase() as Address,
    );
    const results = targets.map((one) => ({ success: true, returnData: word(BigInt(one)) }));
    return (node.many ?? (() => packed(results)))(targets);
  };
  const rpc: Rpc = {
    batch: async (requests) => requests.map(({ method, params }) => answer(method, params)),
    request: () => Promise.reject(new Error("not used")),
  };
  return { read: createReads(rpc, MULTICALL, settings, pino({ level: "silent" })), asked };
}

test("calls are packed, and their answers are in order", async () => {
  const { read, asked } = reads({});
  expect(await read(calls, block)).toEqual(numbers);
  expect(asked).toEqual([MULTICALL, MULTICALL, MULTICALL]);
  expect(await read([], block)).toEqual([]);
});

test("a contract that uses up the gas does not make the other calls of its pack fail", async () => {
  const hog = target(3);
  const { read } = reads({
    many: (targets) => {
      const starved = targets.indexOf(hog);
      return packed(
        targets.map((one, k) => {
          const success = starved < 0 || k < starved;
          return { success, returnData: success ? word(BigInt(one)) : "0x" };
        }),
      );
    },
    one: (to) => (to === hog ? failed("reverted") : itself(to)),
  });
  expect(await read(calls, block)).toEqual(numbers.map((number, k) => (k === 2 ? "0x" : number)));
});

test("a pack whose answer is too large is halved; the one call that causes it answers 0x", async () => {
  const bomb = target(5);
  const { read } = reads({
    many: (targets) =>
      targets.includes(bomb)
        ? failed("range")
        : packed(targets.map((one) => ({ success: true, returnData: word(BigInt(one)) }))),
    one: (to) => (to === bomb ? failed("range") : itself(to)),
  });
  const answers = await read(calls, block).catch((error: unknown) => error);
  expect(answers).toEqual(numbers.map((number, k) => (k === 4 ? "0x" : number)));
});

/** A chain on which the contracts 100 and up set the value that all others answer: packed calls are made in order. */
function readsWithSetters() {
  const answers = (targets: readonly Address[]): Hex[] => {
    let value = 1n;
    return targets.map((one) => {
      if (BigInt(one) >= 100n) value = BigInt(one);
      return word(value);
    });
  };
  return reads({
    one: (to) => ok(answers([to])[0]),
    many: (targets) => packed(answers(targets).map((returnData) => ({ success: true, returnData }))),
  });
}

test("a contract that a pool's creator chose changes no answer of other contracts", async () => {
  const { read, asked } = readsWithSetters();
  const chosen = [100, 101].map((k) => ({ to: target(k), data: "0x01" as Hex, isUntrusted: true as const }));
  const answers = await read([chosen[0]!, ...calls.slice(0, 3), chosen[1]!, calls[3]!], block);
  expect(answers).toEqual([100n, 1n, 1n, 1n, 101n, 1n].map(word));
  expect(asked.toSorted()).toEqual([target(100), target(101), MULTICALL].toSorted());
});

test("calls of one contract that a pool's creator chose are packed", async () => {
  const { read, asked } = readsWithSetters();
  const chosen = { to: target(100), data: "0x01" as Hex, isUntrusted: true as const };
  expect(await read([chosen, chosen, calls[0]!], block)).toEqual([100n, 100n, 1n].map(word));
  expect(asked.toSorted()).toEqual([target(1), MULTICALL].toSorted());
});

test("a token that is asked for its decimals changes no answer of other contracts", async () => {
  const { read, asked } = readsWithSetters();
  const tokens = [100, 101].map((k) => ({ to: target(k), data: "0x313ce567" as Hex }));
  const answers = await read([tokens[0]!, calls[0]!, tokens[1]!, calls[1]!], block);
  expect(answers).toEqual([100n, 1n, 101n, 1n].map(word));
  expect(asked).toEqual([MULTICALL, MULTICALL]);
});

test("where Multicall3 is not deployed, each call is made by itself", async () => {
  const { read, asked } = reads({ many: () => ok("0x") });
  expect(await read(calls, block)).toEqual(numbers);
  expect(asked.filter((to) => to === MULTICALL).length).toBeLessThan(4);
});

test("a node that takes no hash is read by number, and must still hold the block", async () => {
  expect(await reads({ takesHash: false }).read(calls, block)).toEqual(numbers);
  const moved = reads({ takesHash: false, blockHash: `0x${"cd".repeat(32)}` });
  await expect(moved.read(calls, block)).rejects.toMatchObject({ kind: "missing" });
});

test("a node that fails every call is an error, not a reverted call", async () => {
  const { read } = reads({ many: () => failed("rpc"), one: () => failed("rpc") });
  await expect(read(calls, block)).rejects.toMatchObject({ kind: "rpc" });
  const gone = reads({ many: () => failed("missing") });
  await expect(gone.read(calls, block)).rejects.toMatchObject({ kind: "missing" });
});
