import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/edge/store/store.ts";
import { asked } from "../support/asked.ts";
import { START, type Stack, startStack } from "../support/stack.ts";

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const quietEnv = { PORT: "0", DEVNET_PORT: "0", LOG_LEVEL: "warn" };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Runs the program until it ends by itself. */
async function runToEnd(
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, START, { env: { ...process.env, ...quietEnv, ...env } });
  cleanups.push(() => child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, stdout, stderr };
}

async function start(env: Record<string, string> = {}): Promise<Stack> {
  const stack = await startStack(env);
  cleanups.push(stack.stop);
  return stack;
}

async function takenPort(): Promise<number> {
  const server: Server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function blockNumber(url: string): Promise<number> {
  const health = (await (await fetch(`${url}/health`)).json()) as { chains: { block_number: number }[] };
  return health.chains[0]!.block_number;
}

/** Processes below `pid`, by the kernel's own list. */
function children(pid: number): number[] {
  try {
    return execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("settings that cannot work", () => {
  test("every bad setting is named at once, and nothing starts", async () => {
    const { code, stdout, stderr } = await runToEnd({
      PORT: "99999",
      LOG_LEVEL: "loud",
      DEVNET_CHAIN_ID: "zero",
    });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/PORT[\s\S]*99999/);
    expect(stderr).toMatch(/LOG_LEVEL[\s\S]*loud/);
    expect(stderr).toMatch(/DEVNET_CHAIN_ID[\s\S]*zero/);
  });

  test("a taken HTTP port is said in one line, and the devnet ends too", async () => {
    const port = await takenPort();
    const { code, stderr } = await runToEnd({ PORT: String(port), RPC_URL: "https://node.example/key1" });
    expect(code).toBe(2);
    expect(stderr).toContain(`PORT ${port}`);
    // An endpoint without a chain's id is no endpoint, and the devnet starts.
    expect(stderr).toContain("RPC_URL is not read");
    expect(stderr).not.toContain("key1");
    expect(stderr).not.toContain("    at ");
  });

  test("a data folder that another process uses is said, and the chain in it is left alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "braid-process-"));
    const other = openStore(folder);
    cleanups.push(() => rmSync(folder, { recursive: true }), other.close);
    const { code, stderr } = await runToEnd({ DATA_DIR: folder });
    expect(code).toBe(2);
    expect(stderr).toContain("is another process using it?");
    expect(readdirSync(folder).filter((name) => name.startsWith("devnet"))).toEqual([]);
  });

  test("a taken devnet port names DEVNET_PORT", async () => {
    const port = await takenPort();
    const { code, stderr } = await runToEnd({ DEVNET_PORT: String(port) });
    expect(code).toBe(2);
    expect(stderr).toContain("DEVNET_PORT");
    expect(stderr).toContain(String(port));
  });
});

describe("a node that is down at the start", () => {
  test("is said in the log and retried; the service lives, is not ready, and prices nothing", async () => {
    const stack = await start({ RPC_URL_1: `http://127.0.0.1:${await takenPort()}` });
    expect((await fetch(`${stack.url}/livez`)).status).toBe(200);
    expect((await fetch(`${stack.url}/readyz`)).status).toBe(503);
    const platforms = (await (await fetch(`${stack.url}/v1/platforms`)).json()) as {
      platforms: { chainId: number }[];
    };
    expect(platforms.platforms.map((platform) => platform.chainId)).toEqual([1]);
    const query =
      "fromTokenAddress=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&toTokenAddress=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
    const price = await fetch(`${stack.url}/v1/1/price?${query}&amount=1000000000000000000`);
    expect(price.status).toBe(503);
    expect(price.headers.get("retry-after")).toMatch(/^[0-9]+$/);
    expect(await price.json()).toMatchObject({ reason: "STALE_STATE", code: 4001 });
  });
});

describe("SIGTERM", () => {
  test("requests in flight are answered, the port is freed, and the devnet's node ends too", async () => {
    const stack = await start();
    const nodes = children(stack.pid);
    expect(nodes.length).toBeGreaterThan(0);
    const query =
      "fromTokenAddress=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&toTokenAddress=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
    const head = await blockNumber(stack.url);
    const path = `/v1/31337/price?${query}&amount=1000000000000000000&min_block=${head + 1}`;
    const requests = Array.from({ length: 20 }, () => asked(`${stack.url}${path}`));
    await Promise.all(requests.map(({ taken }) => taken));
    const [code, ...answers] = await Promise.all([stack.stop(), ...requests.map(({ answer }) => answer)]);
    expect(code).toBe(0);
    for (const { status, body } of answers) {
      // The block that they wait for may come too late for them, which is an answer as well.
      expect([200, 503]).toContain(status);
      expect(body).toMatchObject(status === 200 ? { token_in: NATIVE } : { reason: "STALE_STATE" });
    }
    await expect(fetch(`${stack.url}/livez`)).rejects.toThrow();
    expect(nodes.filter(isAlive)).toEqual([]);
  });
});

describe("the devnet's node", () => {
  test("that is lost ends the service with an error, and its port is freed", async () => {
    const child = spawn(process.execPath, START, { env: { ...process.env, ...quietEnv } });
    cleanups.push(() => child.kill("SIGKILL"));
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const exit = once(child, "exit");
    while (!/^ready /m.test(stdout)) await once(child.stdout, "data");
    const nodes = children(child.pid!);
    expect(nodes.length).toBeGreaterThan(0);
    for (const pid of nodes) process.kill(pid, "SIGKILL");
    expect((await exit)[0]).toBe(1);
    expect(stderr).toContain("The devnet's node is gone");
    const url = /^ready (\S+)$/m.exec(stdout)![1]!;
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });
});

describe("npm start", () => {
  test("ends with npm, though the shell between them passes nothing on", async () => {
    const npm = spawn("npm", ["start"], {
      env: { ...process.env, ...quietEnv },
      stdio: ["ignore", "pipe", "ignore"],
    });
    cleanups.push(() => npm.kill("SIGKILL"));
    let stdout = "";
    npm.stdout.on("data", (chunk) => (stdout += chunk));
    while (!/^ready /m.test(stdout)) await once(npm.stdout, "data");
    const url = /^ready (\S+)$/m.exec(stdout)![1]!;
    npm.kill("SIGTERM");
    await expect
      .poll(
        () =>
          fetch(`${url}/livez`).then(
            () => "answers",
            () => "gone",
          ),
        { timeout: 20_000 },
      )
      .toBe("gone");
  });

  test("goes on with its end in order where npm goes meanwhile: requests are still answered", async () => {
    const npm = spawn("npm", ["start"], {
      env: { ...process.env, ...quietEnv, LOG_LEVEL: "error", DRAIN_DELAY_MS: "3000" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    cleanups.push(() => npm.kill("SIGKILL"));
    let [stdout, stderr] = ["", ""];
    npm.stdout.on("data", (chunk) => (stdout += chunk));
    npm.stderr.on("data", (chunk) => (stderr += chunk));
    while (!/^ready /m.test(stdout)) await once(npm.stdout, "data");
    const [script] = children(npm.pid!);
    const [service] = /^(da|ba)?sh/.test(commandOf(script!)) ? children(script!) : [script];
    const url = /^ready (\S+)$/m.exec(stdout)![1]!;
    // A connection that is kept has it wait for further requests before it ends.
    const answers = () => fetch(`${url}/livez`).then(({ status }) => status);
    await answers();
    process.kill(service!, "SIGTERM");
    if (script !== service) process.kill(script!, "SIGKILL");
    npm.kill("SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await answers()).toBe(200);
    await once(npm, "close");
    expect(stdout + stderr).not.toContain('"level":50');
  });
});
