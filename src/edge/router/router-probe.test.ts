import { keccak256, numberToHex } from "viem/utils";
import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Request } from "../node/types.ts";
import { type Learnt, probeRouter } from "./router-probe.ts";

const CODE: Hex = "0x60016002";
const ADDRESS: Hex = `0x${"0a".repeat(20)}`;
const router = { address: ADDRESS, codeHash: keccak256(CODE) };
const block = { number: 17, hash: `0x${"bb".repeat(32)}` } as const;
const word = (value: Hex | number): string =>
  (typeof value === "number" ? numberToHex(value, { size: 32 }) : value).slice(2);
const answer = (value: Hex | number): Hex => `0x${word(0)}${word(value)}`;

/** A node with `code` at the router's address; each method of the probe can be made unsupported. */
type FakeNode = {
  readonly code?: Hex;
  readonly noCreation?: boolean;
  readonly noCode?: boolean;
  readonly noOverrides?: boolean;
  readonly noHashes?: boolean;
  readonly transient?: boolean;
};

function answerOf(request: Request, node: FakeNode): unknown {
  const { code = CODE, transient = true } = node;
  const [subject, where, overrides] = request.params as [{ to?: Hex; data?: Hex }, unknown, unknown];
  if (node.noHashes && typeof where !== "string") throw new NodeFailure("unsupported", "no hashes");
  if (typeof where !== "string") expect(where).toEqual({ blockHash: block.hash });
  if (request.method === "eth_getCode") {
    if (node.noCode) throw new NodeFailure("unsupported", "no such method");
    return code;
  }
  if (overrides === undefined && node.noCreation) throw new NodeFailure("rpc", "to is missing");
  if (overrides !== undefined && node.noOverrides) throw new NodeFailure("unsupported", "no overrides");
  const isHash = subject.data?.includes(ADDRESS.slice(2)) === true;
  if (isHash) return answer(code === "0x" ? 0 : keccak256(code));
  if (!transient) throw new NodeFailure("reverted", "invalid opcode: TSTORE");
  return answer(1);
}

async function found(node: FakeNode, learnt: Learnt = { runsCode: true }) {
  const asked: string[] = [];
  const send = async (requests: readonly Request[]) =>
    requests.map((request) => {
      asked.push(request.method);
      try {
        return { ok: true as const, result: answerOf(request, node) };
      } catch (failure) {
        return { ok: false as const, failure: failure as NodeFailure };
      }
    });
  const signal = new AbortController().signal;
  const finding = await probeRouter({ send }, router, { block, timeoutMs: 100, signal, learnt });
  return { asked, finding };
}

test("the artifact's code on a chain with transient storage is usable, and the code itself is not loaded", async () => {
  expect(await found({})).toEqual({ asked: ["eth_call", "eth_call"], finding: { kind: "usable" } });
});

test.each([
  ["no code", { code: "0x" }, /no code lies at 0x0a/],
  ["other code", { code: "0x60" }, /other code lies at 0x0a/],
  ["no transient storage", { transient: false }, /EIP-1153/],
  ["no code, by eth_getCode", { code: "0x", noCreation: true }, /no code lies/],
  ["other code, by eth_getCode", { code: "0x60", noCreation: true }, /other code lies/],
  ["no transient storage, by an override", { transient: false, noCreation: true }, /EIP-1153/],
] as const)("%s is told by name", async (_what, node, why) => {
  expect((await found(node)).finding).toEqual({ kind: "unusable", why: expect.stringMatching(why) });
});

test("a node that runs no code without a recipient is asked in other ways", async () => {
  expect((await found({ noCreation: true })).finding).toEqual({ kind: "usable" });
});

test("a node that was found to run no code without a recipient is not asked for that again, one that failed is", async () => {
  const learnt = { runsCode: true };
  const missing = { code: "0x", noCreation: true } as const;
  expect((await found({ noCreation: true, noCode: true }, learnt)).asked[0]).toBe("eth_call");
  expect((await found(missing, learnt)).asked).toEqual(["eth_call", "eth_getCode"]);
  expect((await found(missing, learnt)).asked).toEqual(["eth_getCode"]);
});

test("a node that takes no block hashes is asked by number", async () => {
  expect((await found({ noHashes: true })).finding).toEqual({ kind: "usable" });
});

test("where neither way is there, that is unknown and said", async () => {
  const code = await found({ noCreation: true, noCode: true });
  expect(code.finding).toEqual({ kind: "unknown", why: expect.stringMatching(/no code/) });
  const lock = await found({ noCreation: true, noOverrides: true });
  expect(lock.finding).toEqual({ kind: "unknown", why: expect.stringMatching(/transient storage/) });
});
