import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { mix } from "../../test/chain/model/hash.ts";
import type { Bench, Row } from "./rows.ts";

/** How soon a block of a node on this machine is in the market: from the answer to the command that mined it. */

const BLOCKS = 60;
const PATIENCE_MS = 300_000;
/** Blocks come at any moment, not in step with a timer of the follower. */
const PAUSE_MS = { least: 400, spread: 800 };

/** The fake chain in a process of its own, which mines on command. */
async function startNode(seed: number) {
  const flags = ["scripts/chains/fake-chain.ts", "--block-time", "0", "--size", "3", "--seed", String(seed)];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^node (http\S+),/.exec(line)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`the fake chain ended with ${child.exitCode}`);
}

async function mine(url: string): Promise<number> {
  const response = await fetch(`${url}/mine`, { method: "POST" });
  const { block } = (await response.json()) as { block: number };
  return block;
}

/** Until nothing is read but new blocks. */
async function settled({ discovery }: RunningChain): Promise<void> {
  const limit = performance.now() + PATIENCE_MS;
  while (discovery?.coverage().phase !== "complete") {
    if (performance.now() > limit) throw new Error("the discovery does not end");
    await wait(50);
  }
}

/** What has to be asked at least: the header and the receipts of the block. */
async function least(url: string): Promise<void> {
  for (const method of ["eth_getBlockByNumber", "eth_getBlockReceipts"]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: ["latest", false] });
    await (await fetch(url, { method: "POST", body })).json();
  }
}

function quantile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))] as number;
}

function spread(times: readonly number[]): string {
  const one = (share: number) => `${Math.round(100 * share)} %: ${quantile(times, share).toFixed(1)} ms`;
  return [0.1, 0.5, 0.9, 1].map(one).join(", ");
}

export async function headRows({ seed, say }: Pick<Bench, "seed" | "say">): Promise<Row[]> {
  const { url, child } = await startNode(seed);
  const log = pino({ level: "silent" });
  const tokens = openTokenRegistry(undefined, log);
  const served = serveChain({
    ...{ chain: ethereum, endpoints: [url], registry: protocols, router: ethereum.wrappedNative },
    ...{ tokens, settings: defaultEdgeSettings, log },
  });
  try {
    await served.start();
    await settled(served);
    const times: number[] = [];
    const bare: number[] = [];
    const cpu: number[] = [];
    for (let k = 0; k < BLOCKS; k++) {
      await wait(PAUSE_MS.least + (mix(seed, k) % PAUSE_MS.spread));
      const block = await mine(url);
      const start = performance.now();
      const before = process.cpuUsage();
      if (!(await served.market.waitFor(block, 20_000))) throw new Error(`block ${block} does not arrive`);
      times.push(performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1000);
      const again = performance.now();
      await least(url);
      bare.push(performance.now() - again);
    }
    const at = (share: number) => quantile(times, share);
    say(`in the market: ${spread(times)}`);
    say(`header and receipts alone: ${spread(bare)}`);
    say(`processor time of the service: ${spread(cpu)}`);
    return [
      {
        name: "a block of a node on this machine, in the market",
        bar: "≤ 20 ms, 9 of 10",
        measured: `median ${at(0.5).toFixed(0)} ms, 9 of 10 ${at(0.9).toFixed(0)} ms; its answers alone ${quantile(bare, 0.5).toFixed(0)} ms; ${quantile(cpu, 0.5).toFixed(0)} ms of CPU`,
        ok: at(0.9) <= 20,
      },
    ];
  } finally {
    await served.stop();
    tokens.close();
    const over = once(child, "exit");
    child.kill();
    await over;
  }
}
