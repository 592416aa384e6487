import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRpc, type Rpc } from "../rpc.ts";

/** A running anvil process. */
export type Anvil = {
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves with a description of the exit once the process has ended, for any reason. */
  readonly ended: Promise<string>;
  kill(): Promise<void>;
};

type AnvilOptions = {
  readonly host: string;
  readonly port: number;
  readonly arguments: readonly string[];
};

/**
 * jemalloc settings: free memory is returned to the system after half a second, and there are two arenas instead of
 * four per core, so that memory grows with the chain and not with the number of requests. Builds of anvil without
 * jemalloc ignore them.
 */
const ALLOCATOR = "narenas:2,dirty_decay_ms:500,muzzy_decay_ms:0";

/** The node ended before its first answer. `output` is the end of its stderr. */
export class AnvilStartError extends Error {
  override readonly name = "AnvilStartError";
  readonly output: string;

  constructor(output: string) {
    super(`The devnet's node did not start: ${output || "it said nothing"}`);
    this.output = output;
  }
}

/** Starts a node with a new temporary folder, which is removed when the node ends or `start` fails. */
export async function inPrivateFolder(start: (home: string) => Promise<Anvil>): Promise<Anvil> {
  const home = mkdtempSync(join(tmpdir(), "braid-devnet-"));
  try {
    return await start(home);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Starts anvil and waits for its first answer.
 *
 * @param home folder that anvil gets as HOME and writes to
 * @throws AnvilStartError when it ends before it answers
 * @throws Error naming DEVNET_PORT when no `fetch` ever asks the port
 */
export async function startAnvil(options: AnvilOptions, home: string): Promise<Anvil> {
  const { host, port } = options;
  const [command, ...prefix] = [...deathPact(), anvilBinary()];
  const child = spawn(
    command!,
    [...prefix, "--quiet", "--host", host, "--port", String(port), ...options.arguments],
    {
      env: { HOME: home, _RJEM_MALLOC_CONF: ALLOCATOR },
      stdio: ["ignore", "ignore", "pipe"],
      // A process group of its own: Ctrl-C signals the terminal's group, and the node must outlive the last save.
      detached: prefix.length > 0,
    },
  );
  const { output, ended } = watch(child, home);

  const url = `http://${host}:${port}`;
  const rpc = createRpc(url);
  // If another process has the port, that one may answer, while this node ends because it cannot bind it.
  for (let answered = false; !answered; ) {
    const outcome = await Promise.race([answers(rpc, port), ended]).catch(async (error: Error) => {
      child.kill("SIGKILL");
      await ended;
      throw error;
    });
    if (typeof outcome === "string") throw new AnvilStartError(output() || outcome);
    answered = outcome;
    if (!answered) await sleep(5);
  }
  return {
    url,
    rpc,
    ended,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function watch(child: ChildProcess, home: string): { output: () => string; ended: Promise<string> } {
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-2000);
  });
  const killNow = () => {
    child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  };
  process.once("exit", killNow);
  const ended = Promise.race([
    once(child, "close").then(([code, signal]) => `it ended with ${signal ?? `code ${code}`}`),
    once(child, "error").then(([error]) => String(error)),
  ]).catch(String);
  return {
    output: () => output.trim(),
    ended: ended.finally(() => {
      process.removeListener("exit", killNow);
      rmSync(home, { recursive: true, force: true });
    }),
  };
}

/** @throws Error for a port that the Fetch standard blocks, such as 6000: every attempt would fail as the first does */
async function answers(rpc: Rpc, port: number): Promise<boolean> {
  return rpc.call("eth_chainId").then(
    () => true,
    ({ cause }: Error) => {
      if (!(cause instanceof Error && cause.message === "bad port")) return false;
      throw new Error(
        `DEVNET_PORT: port ${port} is one that browsers and fetch do not ask. Set another; 0 picks any.`,
      );
    },
  );
}

/** Command prefix with which the kernel kills the node when this process ends, even by SIGKILL. Needs util-linux. */
function deathPact(): string[] {
  const setpriv = process.platform === "linux" ? findOnPath("setpriv") : undefined;
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}

/** Path of anvil: ANVIL_PATH, else the npm package, else PATH. @throws Error where none of them has it */
function anvilBinary(): string {
  const explicit = process.env.ANVIL_PATH;
  if (explicit !== undefined && explicit !== "") return explicit;
  const found = packagedAnvil() ?? findOnPath("anvil");
  if (found !== undefined) return found;
  throw new Error(
    `The devnet needs anvil: no package ${packageName()} is installed, ANVIL_PATH is not set and PATH has none.`,
  );
}

function packagedAnvil(): string | undefined {
  const file = process.platform === "win32" ? "anvil.exe" : "anvil";
  try {
    return createRequire(import.meta.url).resolve(`${packageName()}/bin/${file}`);
  } catch {
    return undefined;
  }
}

function packageName(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return `@foundry-rs/anvil-${process.platform}-${architecture}`;
}

function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
