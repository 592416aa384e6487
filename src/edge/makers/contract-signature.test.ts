import { decodeFunctionData } from "viem/utils";
import { expect, test } from "vitest";
import type { Head, Hex } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Request } from "../node/types.ts";
import { createAskHead } from "./ask-head.ts";
import { createSignatureCheck } from "./contract-signature.ts";

const head: Head = {
  number: 7,
  hash: `0x${"07".repeat(32)}`,
  parentHash: `0x${"06".repeat(32)}`,
  timestamp: 9,
};
const asked = {
  asker: "0x000000000022d473030f116ddee9f6b43ac78ba3",
  account: `0x${"aa".repeat(20)}`,
  digest: `0x${"dd".repeat(32)}`,
  signature: `0x${"55".repeat(65)}`,
  timeoutMs: 90,
} as const;
const VALID = `0x1626ba7e${"00".repeat(28)}`;

const ok = (result: unknown): Answer => ({ ok: true, result });
const failing = (kind: "reverted" | "transport"): Answer => ({
  ok: false,
  failure: new NodeFailure(kind, "x"),
});

test.each<[string, Answer, boolean | undefined]>([
  ["the magic value", ok(VALID), true],
  ["the magic value with more behind it", ok(`${VALID}${"ff".repeat(64)}`), true],
  ["the magic value in a word that is not clean", ok(`0x1626ba7e${"00".repeat(27)}01`), false],
  ["four bytes", ok("0x1626ba7e"), false],
  ["another value", ok(`0xffffffff${"00".repeat(28)}`), false],
  ["nothing, as an account without code does", ok("0x"), false],
  ["a revert", failing("reverted"), false],
  ["no node", failing("transport"), undefined],
])("%s: %o is %s", async (_what, answer, says) => {
  expect(await createSignatureCheck(createAskHead({ batch: async () => [answer] }, () => head))(asked)).toBe(
    says,
  );
});

test("the contract is asked as Permit2 asks it, on the newest block, in the time that is left", async () => {
  const requests: Request[] = [];
  const options: unknown[] = [];
  const rpc: Parameters<typeof createAskHead>[0] = {
    async batch(all, how) {
      requests.push(...all);
      options.push(how);
      return [ok(VALID)];
    },
  };
  const check = createSignatureCheck(createAskHead(rpc, () => head));
  await check(asked);
  const [call, block] = requests[0]!.params as [{ from: Hex; to: Hex; data: Hex; gas: Hex }, object];
  expect([call.from, call.to, block]).toEqual([asked.asker, asked.account, { blockHash: head.hash }]);
  const abi = [
    {
      name: "isValidSignature",
      type: "function",
      inputs: [{ type: "bytes32" }, { type: "bytes" }],
      outputs: [],
      stateMutability: "view",
    },
  ] as const;
  expect(decodeFunctionData({ abi, data: call.data }).args).toEqual([asked.digest, asked.signature]);
  expect(options).toEqual([expect.objectContaining({ deadlineMs: 90, block: 7 })]);
});

test("nothing is known where nobody answers, or before the first block", async () => {
  const nobody = { batch: () => Promise.reject(new NodeFailure("transport", "x")) };
  expect(await createSignatureCheck(createAskHead(nobody, () => head))(asked)).toBeUndefined();
  expect(await createSignatureCheck(createAskHead(nobody, () => undefined))(asked)).toBeUndefined();
});
