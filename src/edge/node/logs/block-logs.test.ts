import { pino } from "pino";
import { expect, test } from "vitest";
import { createChain } from "../../../../test/chain/blocks/chain.ts";
import { presentHeader } from "../../../../test/chain/blocks/seal.ts";
import { createBackend } from "../../../../test/chain/node/backend.ts";
import { type Profile, profileOf } from "../../../../test/chain/node/profiles.ts";
import { directEndpoint } from "../../../../test/faults/follow.ts";
import { protocols } from "../../../protocols/index.ts";
import { readHeader } from "../sealed/read-header.ts";
import { createSeals } from "../sealed/seal.ts";
import { createRpc } from "../transport/rpc.ts";
import type { Header } from "../types.ts";
import { createBlockLogs } from "./block-logs.ts";

const chain = createChain({
  ...{ seed: 3, sizes: { v2: 300, v3: 100, v4: 50 }, built: 12, busyHistory: false },
});
const topics = [...new Set([...protocols.values()].flatMap((protocol) => protocol.topics))];
const settings = { deadlineMs: 1000, attemptMs: 500, hedgeMinMs: 100, hedgeMaxMs: 200, lagBlocks: 2 };

/** The newest blocks, oldest first, and their logs as an endpoint of this profile serves them. */
function logsBy(profile: Profile, proofBlocks: number) {
  const backend = createBackend(chain, profile);
  const endpoint = directEndpoint({ tip: backend.tip, answer: backend.answer });
  const seals = createSeals();
  const rpc = createRpc([endpoint], settings, new AbortController().signal);
  const head = chain.head().number;
  const headers = Array.from({ length: 12 }, (_, k) => chain.at(head - 11 + k)!).map(
    (block) => readHeader(presentHeader(block as Parameters<typeof presentHeader>[0], []), seals) as Header,
  );
  const read = createBlockLogs({
    ...{ rpc, seals, settings: { ...settings, proofBlocks, opinions: false } },
    ...{ onDispute: () => undefined, log: pino({ level: "silent" }) },
  });
  return read(headers, topics);
}

test("where endpoints refuse filters without addresses, the logs of every block are taken from its receipts", async () => {
  const expected = await logsBy(profileOf("local"), 6);
  const found = await logsBy(profileOf("publicnode"), 6);
  expect(found.map(({ trust }) => trust)).toEqual(found.map(() => "proven"));
  expect(found.map(({ logs }) => logs)).toEqual(expected.map(({ logs }) => logs));
  expect(found.flatMap(({ logs }) => logs).length).toBeGreaterThan(0);
});
