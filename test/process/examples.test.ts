import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences, type Example, examplesOf, matches, PAGES_WITH_EXAMPLES } from "../docs/examples.ts";
import { rpcOf } from "../sdk/wallets.ts";
import { type Stack, startStack } from "../support/stack.ts";

/**
 * What the documentation shows is what a reader gets: every example is run as it stands, against what `npm start` runs, and
 * its answer is compared with the one shown. Each page begins on the devnet as it starts.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const PRICE =
  "/v1/31337/price?fromTokenAddress=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&toTokenAddress=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48&amount=1000000000000000000";

let stack: Stack;
let fresh: string;
beforeAll(async () => {
  // A busy machine may search for longer: what is found must not depend on it.
  stack = await startStack({ ROUTE_BUDGET_MS: "10000" });
  fresh = await price();
});
afterAll(() => stack.stop());

async function price(): Promise<string> {
  const answer = (await (await fetch(`${stack.url}${PRICE}`)).json()) as { amount_out_total: string };
  return answer.amount_out_total;
}

/** Whether the newest block that the service knows is one of its node's. */
async function hasFollowed(): Promise<boolean> {
  const health = (await (await fetch(`${stack.url}/health`)).json()) as {
    chains: { block_number: number; block_hash: string }[];
  };
  const { block_number, block_hash } = health.chains[0]!;
  const block = await rpcOf(stack.rpc)<{ hash: string } | null>("eth_getBlockByNumber", [
    `0x${block_number.toString(16)}`,
    false,
  ]);
  return block?.hash === block_hash;
}

/** Runs one block of code as a reader would, at this stack's addresses. */
async function run({ language, code }: Example): Promise<string> {
  const here = code
    .replaceAll("http://127.0.0.1:8080", stack.url)
    .replaceAll("http://127.0.0.1:8545", stack.rpc);
  const [file, args] =
    language === "sh"
      ? ["bash", ["-ec", here.replace(/^curl /gm, "curl -s ")]]
      : [process.execPath, ["--input-type=module-typescript", "-e", here]];
  const { stdout } = await promisify(execFile)(file!, args as string[], { cwd: root, encoding: "utf8" });
  return stdout
    .trimEnd()
    .replaceAll(stack.url, "http://127.0.0.1:8080")
    .replaceAll(stack.rpc, "http://127.0.0.1:8545");
}

function expectShown({ shown, shownAs, code }: Example, real: string): void {
  if (shownAs === "text") {
    const lines = real.split("\n");
    const expected = shown.split("\n");
    expect(
      lines.length === expected.length && expected.every((line, i) => matches(line, lines[i]!)),
      real,
    ).toBe(true);
    return;
  }
  const answer = JSON.parse(real) as { status?: unknown };
  const status = / # (\d+)$/.exec(code)?.[1];
  if (status !== undefined) expect(answer.status, real).toBe(Number(status));
  expect(differences(JSON.parse(shown), answer), real).toEqual([]);
}

describe.each(PAGES_WITH_EXAMPLES)("%s", (page) => {
  let snapshot: string;
  beforeAll(async () => {
    snapshot = await rpcOf(stack.rpc)<string>("evm_snapshot");
  });
  afterAll(async () => {
    await rpcOf(stack.rpc)("evm_revert", [snapshot]);
    while (!(await hasFollowed()) || (await price()) !== fresh) await setTimeout(100);
  });

  test.each(examplesOf(page))("$heading: $code", async (example) => {
    expectShown(example, await run(example));
  });
});
