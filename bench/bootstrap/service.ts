import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AS_SCRIPT } from "../../src/orphan.ts";
import type { Offered } from "../../test/chain/exact.ts";
import { COLLECT, STALL } from "./asked.ts";

/** The service as a user starts it, against a fake node. */
export type Service = {
  readonly url: string;
  /** Monotonic milliseconds of the start. */
  readonly startedAt: number;
  /** The offer; undefined where the service answers with anything but 200. */
  price(ask: Ask): Promise<Offered | undefined>;
  /** The body of a page; undefined where it is none. */
  page(path: string): Promise<string | undefined>;
  /** Resident bytes of the process, all of its threads included: now, or the most there ever were. */
  rss(): number;
  highestRss(): number;
  /** Resolves once the main thread has collected what it no longer holds; that is a stall. */
  collect(): Promise<void>;
  /** Processor time of all its threads since its start: what other processes on the machine do not change. */
  cpuSeconds(): number;
  /** Milliseconds of processor time of the longest stall of the main thread since the last time that this was asked. */
  stallMs(): Promise<number>;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
};

export type Ask = { readonly from: string; readonly to: string; readonly amount: bigint };

type Options = {
  readonly urls: readonly string[];
  readonly dataDir?: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
};

/** What does not end in order is ended by force after this: much longer than an end takes on a busy machine. */
export const FORCED_AFTER_MS = 120_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const stalls = fileURLToPath(new URL("./stalls.ts", import.meta.url));

/** Runs `src/main.ts` with the flags of `npm start`. */
export function launch({ urls, dataDir, settings = {} }: Options): ChildProcess {
  const env = {
    PATH: process.env.PATH ?? "",
    RPC_URL_1: urls.join(","),
    PORT: "0",
    LOG_LEVEL: "warn",
    // `npm start` sets it too (`src/fewer-arenas.mjs`), by which a process loses the channel to its parent.
    MALLOC_ARENA_MAX: "2",
    RATE_LIMIT_PER_MINUTE: "0",
    ...AS_SCRIPT,
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
    ...settings,
  };
  const child = spawn(
    process.execPath,
    ["--max-semi-space-size=8", "--import=./src/compile-cache.mjs", `--import=${stalls}`, "src/main.ts"],
    {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  child.stderr?.on("data", (part: Buffer) => process.env.SHOW_LOG && process.stderr.write(part));
  return child;
}

/** Resolves once the port of the service is open. */
export async function startService(options: Options): Promise<Service> {
  const startedAt = performance.now();
  const child = launch(options);
  const url = await opened(child);
  return {
    url,
    startedAt,
    async price({ from, to, amount }) {
      const query = `fromTokenAddress=${from}&toTokenAddress=${to}&amount=${amount}`;
      const text = await get(`${url}/v1/1/price?${query}`);
      return text === undefined ? undefined : (JSON.parse(text) as Offered);
    },
    page: (path) => get(`${url}${path}`),
    rss: () => memoryOf(child.pid as number, "VmRSS"),
    highestRss: () => memoryOf(child.pid as number, "VmHWM"),
    async collect() {
      await ask(child, COLLECT);
    },
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    stallMs: async () => Number(await ask(child, STALL)),
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const over = once(child, "exit");
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), FORCED_AFTER_MS);
      await over;
      clearTimeout(late);
    },
  };
}

/** What the main thread answers once it has its turn. */
function ask(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error("the service ended before it answered"));
    const listen = (answer: Readonly<Record<string, unknown>>) => {
      if (!(what in answer)) return;
      child.off("message", listen).off("exit", gone);
      resolve(answer[what]);
    };
    child.on("message", listen).once("exit", gone);
    child.send(what);
  });
}

async function opened(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (part: Buffer) => {
    text += part;
  });
  for (let tries = 0; tries < 3600; tries++) {
    const found = /^ready (http\S+)$/m.exec(text) ?? /health (http\S+)\/health/.exec(text);
    if (found?.[1] !== undefined) return found[1];
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${text}`);
    await wait(50);
  }
  throw new Error(`the service does not open its port: ${text}`);
}

async function get(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}

/** @source proc_pid_status(5) */
function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return Number(kilobytes) * 1024;
}

/** Ticks of Linux are hundredths of a second. @source proc_pid_stat(5): utime and stime are fields 14 and 15 */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
