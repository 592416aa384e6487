import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Hex } from "../core/types.ts";
import { wholePlan } from "./build.ts";
import { type Devnet, type DevnetOptions, startDevnet } from "./index.ts";
import { ACCOUNTS, TRADER, WETH } from "./plan/addresses.ts";
import { createRpc } from "./rpc.ts";
import { stateFileOf } from "./state.ts";

let dataDir: string;
let lines: string[];
const running: Devnet[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "braid-test-"));
  lines = [];
});
afterEach(async () => {
  for (const devnet of running.splice(0)) await devnet.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  const log = (line: string) => void lines.push(line);
  const devnet = await startDevnet({
    chainId: 31_337,
    port: 0,
    dataDir,
    traffic: false,
    blockTimeMs: 0,
    log,
    ...options,
  });
  running.push(devnet);
  return devnet;
}

const portOf = (url: string) => Number(new URL(url).port);

/** Process id of the anvil with this port on its command line; Linux only. */
function pidOf(port: number): number | undefined {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return command[0]?.includes("anvil") && command.includes(String(port));
    } catch {
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}

const nodeIsRunning = (port: number) => pidOf(port) !== undefined;

async function untilGone(port: number): Promise<boolean> {
  for (let tries = 0; tries < 200 && nodeIsRunning(port); tries++) await sleep(10);
  return !nodeIsRunning(port);
}

describe("a chain that is kept", () => {
  test("goes on after restarts with the same past", async () => {
    const first = await start();
    let rpc = createRpc(first.url);
    const [from, to] = ACCOUNTS;
    const hash = await rpc.call<Hex>("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    await rpc.call("evm_mine");
    const facts = async () => ({
      genesis: await rpc.call("eth_getBlockByNumber", ["0x0", false]),
      built: await rpc.call("eth_getBlockByNumber", ["0x2", false]),
      logs: await rpc.call("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]),
      receipt: await rpc.call("eth_getTransactionReceipt", [hash]),
      balances: await rpc.batch(
        [from, to].map((account) => ({ method: "eth_getBalance", params: [account, "latest"] })),
      ),
    });
    // Blocks and logs that a reorg removed must not reappear.
    await rpc.call("anvil_mine", ["0x3"]);
    await rpc.call("anvil_reorg", [2, []]);
    const before = await facts();
    const head = await rpc.call<{ number: Hex; hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
    expect((before.logs as unknown[]).length).toBeGreaterThan(300);

    for (const _ of ["once", "twice", "thrice"]) {
      const port = portOf(running.at(-1)!.url);
      await running.pop()?.stop();
      if (existsSync("/proc")) expect(nodeIsRunning(port)).toBe(false);
      rpc = createRpc((await start()).url);
      expect(await facts()).toEqual(before);
    }
    // The chain continues from the earlier head.
    const now = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
    expect(Number(now.number)).toBe(Number(head.number) + 3);
    expect(Math.abs(Number(now.timestamp) - Date.now() / 1000)).toBeLessThan(30);
    const next = await rpc.call<{ parentHash: Hex }>("eth_getBlockByNumber", [
      `0x${(Number(head.number) + 1).toString(16)}`,
      false,
    ]);
    expect(next.parentHash).toBe(head.hash);
    expect(lines.at(-1)).toContain("goes on");
  });

  test("has a file of its own for every chain id", async () => {
    const plan = await wholePlan();
    const names = [1, 31_337].map((chainId) => stateFileOf("/data", chainId, plan));
    expect(names[0]).toMatch(/^\/data\/devnet-1-[0-9a-f]{12}\.json$/);
    expect(names[1]).toBe(names[0]!.replace("devnet-1-", "devnet-31337-"));
  });

  test("is set aside when its file is broken, and built anew", async () => {
    const text = '{"blocks":[';
    const file = stateFileOf(dataDir, 31_337, await wholePlan());
    writeFileSync(file, text);
    await start();
    expect(lines.join("\n")).toContain("set aside");
    expect(lines.at(-1)).toContain("is built");
    expect(readFileSync(`${file}.unreadable`, "utf8")).toBe(text);
  });

  test("is set aside when the contracts are not on it", async () => {
    await start();
    await running.pop()?.stop();
    const file = stateFileOf(dataDir, 31_337, await wholePlan());
    const state = JSON.parse(readFileSync(file, "utf8")) as { accounts: Record<string, unknown> };
    expect(delete state.accounts[WETH]).toBe(true);
    writeFileSync(file, JSON.stringify(state));
    await start();
    expect(lines.join("\n")).toContain("set aside");
  });
});

describe("blocks", () => {
  test("come every second by the clock, never cheaper than 1 gwei, with the trader's swaps in them", async () => {
    const devnet = await start({ blockTimeMs: 1000, traffic: true, dataDir: undefined });
    const rpc = createRpc(devnet.url);
    const startHead = Number(await rpc.call("eth_blockNumber"));
    while (Number(await rpc.call("eth_blockNumber")) < startHead + 3) await sleep(50);

    const blocks = await rpc.batch<Record<string, Hex>>(
      [1, 2, 3].map((after) => ({
        method: "eth_getBlockByNumber",
        params: [`0x${(startHead + after).toString(16)}`, false],
      })),
    );
    const times = blocks.map(({ timestamp }) => Number(timestamp));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 1, 2]);
    for (const { baseFeePerGas } of blocks) expect(BigInt(baseFeePerGas!)).toBeGreaterThanOrEqual(10n ** 9n);

    const receipts = await rpc.batch<{ from: Hex; status: Hex }[]>(
      blocks.map(({ number }) => ({ method: "eth_getBlockReceipts", params: [number] })),
    );
    expect(receipts.flat().length).toBeGreaterThanOrEqual(3);
    for (const { from, status } of receipts.flat()) expect([from, status]).toEqual([TRADER, "0x1"]);
  });

  test("that cannot be saved are warned of, and what follows from it", async () => {
    const warned: string[] = [];
    const devnet = await start({ warn: (line) => void warned.push(line) });
    rmSync(dataDir, { recursive: true });
    writeFileSync(dataDir, "no folder");
    await devnet.stop();
    expect(warned).toEqual([
      expect.stringContaining("was not saved: after a restart it goes on from the last save"),
    ]);
    expect(lines.join()).not.toContain("not saved");
  });

  test("a block time that the node cannot keep is refused", async () => {
    await expect(start({ blockTimeMs: 1500 })).rejects.toThrow(/whole seconds/);
  });
});

describe("the node", () => {
  test("a taken port is one error that names the setting and the port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    try {
      await expect(start({ port })).rejects.toThrow(new RegExp(`DEVNET_PORT.*${port}.*taken`));
    } finally {
      server.close();
    }
  });

  test("a port that no browser asks is one error that names it, and not a start without end", async () => {
    await expect(start({ port: 10_080 })).rejects.toThrow(/DEVNET_PORT.*10080/);
  });

  test.runIf(existsSync("/proc"))("that is lost is reported once, and stop still works", async () => {
    const devnet = await start({ blockTimeMs: 1000 });
    process.kill(pidOf(portOf(devnet.url))!, "SIGKILL");
    expect(await devnet.lost).toContain("SIGKILL");
    expect(lines.some((line) => line.includes("gone"))).toBe(true);
    await sleep(600);
    expect(lines.slice(lines.findIndex((line) => line.includes("gone")))).toHaveLength(1);
    await running.pop()?.stop();
  });

  const endings = {
    "an uncaught error": "setTimeout(() => { throw new Error('planted') })",
    "a deadly signal": "process.kill(process.pid, 'SIGKILL')",
  };
  const canTell = existsSync("/proc") && existsSync("/usr/bin/setpriv");

  test.runIf(canTell)("ends with its parent, however that ends", async () => {
    await Promise.all(Object.entries(endings).map(([name, ending]) => expectGone(name, ending)));
    // A killed process cannot remove its node's folder: that is empty, as large as the chain may be.
    const left = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
    expect(left.some((path) => path.startsWith("braid-devnet-"))).toBe(true);
    expect(left.filter((path) => path.endsWith("genesis.json"))).toEqual([]);
  });
});

async function expectGone(name: string, ending: string): Promise<void> {
  const child = parent(ending);
  const exit = once(child, "exit");
  try {
    const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
    const port = portOf(line);
    expect(nodeIsRunning(port)).toBe(true);
    child.stdin!.end("end\n");
    await exit;
    expect(await untilGone(port), name).toBe(true);
  } finally {
    child.kill("SIGKILL");
  }
}

function parent(ending: string): ChildProcess {
  const code = `
    const { startDevnet } = await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
    const devnet = await startDevnet({ chainId: 31337, port: 0, dataDir: undefined, traffic: false, log() {} });
    console.log(devnet.url);
    process.stdin.once("data", () => { ${ending} });
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, TMPDIR: dataDir },
    stdio: ["pipe", "pipe", "ignore"],
  });
}
