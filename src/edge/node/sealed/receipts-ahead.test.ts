import { expect, test } from "vitest";
import { createChain, receiptsOf } from "../../../../test/chain/blocks/chain.ts";
import { presentHeader } from "../../../../test/chain/blocks/seal.ts";
import { protocols } from "../../../protocols/index.ts";
import type { Answer } from "../endpoint.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { Request } from "../types.ts";
import { createBlockProof } from "./block-proof.ts";
import { readHeader } from "./read-header.ts";
import { createReceiptsAhead } from "./receipts-ahead.ts";
import { createSeals } from "./seal.ts";

const chain = createChain({
  ...{ seed: 3, sizes: { v2: 300, v3: 100, v4: 50 }, built: 4, busyHistory: false },
});
const block = chain.head();
const pushed = presentHeader(block, []);
const receipts = receiptsOf(block).shown;
const topics = new Set([...protocols.values()].flatMap((protocol) => protocol.topics));

/** An endpoint that records its requests and answers with the given receipts, true or false ones. */
function nodeOf(shown: readonly object[], isLocal = true) {
  const asked: Request[] = [];
  const send = async (requests: readonly Request[]): Promise<Answer[]> => {
    asked.push(...requests);
    return requests.map(() => ({ ok: true, result: shown, by: "node" }));
  };
  return { asked, endpoint: { isLocal, send } };
}

async function proofWith(ahead: ReturnType<typeof aheadOf>, later: ReturnType<typeof nodeOf>) {
  const seals = createSeals();
  const header = readHeader(pushed, seals)!;
  const rpc = {
    async batch(requests: readonly Request[], options) {
      const answers = await later.endpoint.send(requests);
      const [first] = answers;
      if (first?.ok) await options?.doubt?.(first.result, 0);
      return answers;
    },
  } as Pick<Rpc, "batch"> as Rpc;
  const proof = createBlockProof({
    ...{ rpc, seals, ahead, attemptMs: 1000, deadlineMs: 1000 },
    now: () => 0,
  });
  // Once receipts of this form have fitted, false ones are `differs` and no longer `unknown`.
  expect(await seals.receipts(receipts, block.receiptsRoot)).toBe("fits");
  return proof.prove(header, topics);
}

function aheadOf(proofBlocks = 1, isWorthwhile = true) {
  const { signal } = new AbortController();
  return createReceiptsAhead({ proofBlocks, isWorthwhile: () => isWorthwhile, signal });
}

test("receipts of a pushed block prove it without a further request", async () => {
  const [early, later] = [nodeOf(receipts), nodeOf(receipts)];
  const ahead = aheadOf();
  ahead.begin(early.endpoint, pushed);
  ahead.begin(early.endpoint, pushed);
  const proven = await proofWith(ahead, later);
  expect(proven.kind === "proven" && proven.logs.length).toBeGreaterThan(0);
  expect([early.asked.length, later.asked.length]).toEqual([1, 0]);
  expect(await ahead.take(block.hash)).toBeUndefined();
});

test("receipts that came ahead and do not hash to the header's root are asked for again", async () => {
  const [early, later] = [nodeOf(receipts.slice(1)), nodeOf(receipts)];
  const ahead = aheadOf();
  ahead.begin(early.endpoint, pushed);
  const proven = await proofWith(ahead, later);
  expect(proven.kind).toBe("proven");
  expect([early.asked.length, later.asked.length]).toEqual([1, 1]);
});

test("no receipts are asked ahead of remote nodes, unproven chains, blocks not due for a proof, or pushes without a block", () => {
  const near = nodeOf(receipts);
  const far = nodeOf(receipts, false);
  aheadOf().begin(far.endpoint, pushed);
  aheadOf(1, false).begin(near.endpoint, pushed);
  aheadOf(7).begin(near.endpoint, { ...pushed, number: "0x8" });
  for (const odd of [undefined, null, {}, { hash: "0x12", number: "0x1" }, { hash: block.hash }])
    aheadOf().begin(near.endpoint, odd);
  expect([near.asked, far.asked]).toEqual([[], []]);
});
