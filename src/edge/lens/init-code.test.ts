import { expect, test } from "vitest";
import { createChain } from "../../../test/chain/blocks/chain.ts";
import { createBackend } from "../../../test/chain/node/backend.ts";
import { profileOf } from "../../../test/chain/node/profiles.ts";
import { directEndpoint, silent } from "../../../test/faults/follow.ts";
import type { Call } from "../../core/types.ts";
import { createPinned } from "../node/pinned.ts";
import { createRpc } from "../node/transport/rpc.ts";
import { createLens } from "./lens.ts";

const chain = createChain({
  ...{ seed: 3, sizes: { v2: 300, v3: 100, v4: 50 }, built: 4, busyHistory: false },
});
const settings = { attemptMs: 2000, deadlineMs: 5000, hedgeMinMs: 100, hedgeMaxMs: 200, lagBlocks: 2 };

test("without state overrides a list that is too long for init code is read in shorter parts", async () => {
  const backend = createBackend(chain, profileOf("no-overrides"));
  const rpc = createRpc([directEndpoint(backend)], settings, new AbortController().signal);
  const options = { attemptMs: 2000, deadlineMs: 5000, urgency: "normal" } as const;
  const lens = createLens(createPinned({ rpc, options, log: silent }), silent);
  // decimals() with an argument that it ignores, as the calls of some designs have.
  const call: Call = { to: chain.universe.tokens.address(0), data: `0x313ce567${"00".repeat(32)}` };
  const answers = await lens.read(
    Array.from({ length: 1_200 }, () => call),
    chain.head(),
  );
  expect(answers).toHaveLength(1_200);
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).not.toBe("0x");
});
