import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export type Stack = {
  /** Base address of the HTTP API. */
  readonly url: string;
  /** JSON-RPC address of the embedded devnet. */
  readonly rpc: string;
  /** Where makers push their levels; undefined where no port is open for them. */
  readonly pushUrl: string | undefined;
  readonly pid: number;
  /** Sends SIGTERM and waits until the process is gone. */
  stop(): Promise<number | null>;
};

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  scripts: { start: string };
};
/** What node is given by `npm start`: its flags, among them the cache of what earlier starts compiled, and the program. */
export const START = scripts.start.split(" ").slice(1);

/** For tests that see no search threads, whose start and whose spare's take a quarter of a service's processor time. */
export const ONE_THREAD = { ROUTE_WORKERS: "0" };

/**
 * Starts the whole service as a user does, on free ports, and waits for its `ready` line.
 *
 * @param cwd folder that holds the service
 * @throws Error with the last lines of its log when it ends, or is not ready in time
 */
export async function startStack(env: Readonly<Record<string, string>> = {}, cwd = "."): Promise<Stack> {
  const child = spawn(process.execPath, START, {
    cwd,
    env: {
      ...process.env,
      PORT: "0",
      DEVNET_PORT: "0",
      LOG_LEVEL: "warn",
      RATE_LIMIT_PER_MINUTE: "0",
      DRAIN_DELAY_MS: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    const lines = await readyLines(child, exit);
    const stop = () => {
      child.kill("SIGTERM");
      return exit;
    };
    return { ...lines, pid: child.pid!, stop };
  } catch (cause) {
    child.kill("SIGKILL");
    throw new Error(
      `The service did not get ready: ${(cause as Error).message}\n${log.slice(-20).join("\n")}`,
    );
  }
}

function readyLines(
  child: ChildProcess,
  exit: Promise<number | null>,
): Promise<Pick<Stack, "url" | "rpc" | "pushUrl">> {
  return new Promise((resolve, reject) => {
    let rpc = "";
    let pushUrl: string | undefined;
    const timer = setTimeout(() => reject(new Error("no ready line within 180 s")), 180_000);
    exit.then((code) => reject(new Error(`it ended with code ${code}`)));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      rpc = /^devnet .*?(http:[^\s,]+)/.exec(line)?.[1] ?? rpc;
      pushUrl = /^makers push to (http:\S+)$/.exec(line)?.[1] ?? pushUrl;
      const url = /^ready (http:\S+)$/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, rpc, pushUrl });
    });
  });
}
