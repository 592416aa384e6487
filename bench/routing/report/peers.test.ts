import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { free, smallMarket } from "../small-market.fixture.ts";
import { duel } from "./compare.ts";
import { loadPeers } from "./peers.ts";

const folder = mkdtempSync(join(tmpdir(), "braid-peers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** An adapter that sells everything to the first pool that joins the two tokens. */
const DIRECT = `export const createPeer = ({ pools }) => ({
  route({ tokenIn, tokenOut, amountIn }) {
    const pool = pools.find(({ tokens }) => tokens.includes(tokenIn) && tokens.includes(tokenOut));
    return pool ? [{ pool: pool.address, tokenIn, tokenOut, amountIn: Number(amountIn) }] : [];
  },
});`;

test("an adapter's flows are settled and judged as everybody's", async () => {
  writeFileSync(join(folder, "direct.peer.mjs"), DIRECT);
  writeFileSync(join(folder, "notes.txt"), "no adapter");
  const made = smallMarket(1);
  const rivals = await loadPeers(made.board, folder);
  expect(rivals.map(({ name }) => name)).toEqual(["direct"]);
  const results = made.orders.map((order) => made.ask(order));
  const sample = [...made.orders.keys()];
  const duels = await duel({ ...made, options: free }, { rivals, results, sample });
  const answers = duels.get("direct")!.map(({ answer }) => answer);
  expect(answers.some((answer) => answer?.legs.length === 1)).toBe(true);
  for (const [n, answer] of answers.entries())
    if (answer !== undefined) expect(answer.net <= BigInt(results[n]!.net!)).toBe(true);
});

test("without a folder there are none, and a folder that is not there is named", async () => {
  const { board } = smallMarket(1);
  expect(await loadPeers(board, undefined)).toEqual([]);
  await expect(loadPeers(board, join(folder, "none"))).rejects.toThrow(/BENCH_PEERS_DIR/);
});
