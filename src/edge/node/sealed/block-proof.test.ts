import { expect, test } from "vitest";
import { createChain, receiptsOf } from "../../../../test/chain/blocks/chain.ts";
import { presentHeader } from "../../../../test/chain/blocks/seal.ts";
import { protocols } from "../../../protocols/index.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import { createBlockProof } from "./block-proof.ts";
import { readHeader } from "./read-header.ts";
import { createSeals } from "./seal.ts";

const chain = createChain({
  ...{ seed: 3, sizes: { v2: 300, v3: 100, v4: 50 }, built: 4, busyHistory: false },
});
const block = chain.head();
const receipts = receiptsOf(block).shown;
const topics = new Set([...protocols.values()].flatMap((protocol) => protocol.topics));

/**
 * A client that offers each of these lists of receipts in turn, as attempts of one request, and fails where none is
 * accepted.
 */
function showing(...attempts: readonly (readonly object[])[]): Rpc {
  const batch: Rpc["batch"] = async (_requests, options) => {
    for (const shown of attempts)
      if ((await options?.doubt?.(shown, 0)) === undefined) return [{ ok: true, result: shown, by: "node" }];
    throw new NodeFailure("transport", "no answer within 3000 ms");
  };
  return { batch } as Rpc;
}

async function prove(rpc: Rpc) {
  const seals = createSeals();
  const header = readHeader(presentHeader(block, []), seals)!;
  // Once receipts of this form have fitted, false ones are `differs` and no longer `unknown`.
  expect(await seals.receipts(receipts, block.receiptsRoot)).toBe("fits");
  const terms = { attemptMs: 1000, deadlineMs: 1000, now: () => 0 };
  return createBlockProof({ rpc, seals, ...terms }).prove(header, topics);
}

const forged = receipts.slice(1);

test("after receipts that do not hash to their root the proof differs, even if later attempts have no answer", async () => {
  expect(await prove(showing(forged))).toEqual({ kind: "differs" });
  expect(await prove(showing())).toEqual({ kind: "none" });
});

test("true receipts prove a block even after false ones were shown", async () => {
  expect((await prove(showing(forged, receipts))).kind).toBe("proven");
});
