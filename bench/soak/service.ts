import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AS_SCRIPT } from "../../src/orphan.ts";
import { START } from "../../test/support/stack.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type ListedToken = { readonly address: string; readonly decimals: number };

/** The service as `npm start` starts it, with its devnet under traffic. */
export async function startDevnetService(blockTimeMs: number) {
  const env = {
    ...{ PATH: process.env.PATH ?? "", PORT: "0", DEVNET_PORT: "0", DEVNET_TRAFFIC: "1" },
    ...{ DEVNET_BLOCK_TIME_MS: String(blockTimeMs), LOG_LEVEL: "warn", RATE_LIMIT_PER_MINUTE: "0" },
    // The checks of the soak load the node too.
    ...{ MAX_STATE_AGE_MS: "60000", SELF_CHECK_BLOCKS: "8" },
    ...AS_SCRIPT,
  };
  const child = spawn(process.execPath, START, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A run that ends by a failure of its own leaves nothing behind.
  process.once("exit", () => child.kill("SIGTERM"));
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part;
  });
  while (!/^ready /m.test(text)) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const url = /^ready (\S+)$/m.exec(text)![1]!;
  const nodeUrl = /^devnet JSON-RPC ([^\s,]+)/m.exec(text)![1]!;
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(30_000) });
    const body = await response.text();
    return response.status === 200 ? JSON.parse(body) : undefined;
  };
  return {
    url,
    nodeUrl,
    get,
    async tokens(chainId: number): Promise<readonly ListedToken[]> {
      const list = (await get(`/v1/${chainId}/tokens`)) as { tokens: ListedToken[] } | ListedToken[];
      return Array.isArray(list) ? list : list.tokens;
    },
    rss() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}`);
      return rssOf(child.pid!);
    },
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    /** The newest block that the service prices. */
    async block(): Promise<number> {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) });
      const { chains } = (await response.json()) as { chains: readonly { block_number: number | null }[] };
      return chains[0]?.block_number ?? -1;
    },
    nodeRss: () => childrenOf(child.pid!).reduce((sum, pid) => sum + rssOf(pid), 0),
    async stop() {
      const over = once(child, "exit");
      child.kill("SIGTERM");
      await over;
    },
  };
}

function rssOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
