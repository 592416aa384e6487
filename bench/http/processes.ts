import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Stack, startStack } from "../../test/support/stack.ts";
import { readOrders } from "../routing/market/market.ts";
import type { Memory } from "./heaps.ts";
import type { Seen } from "./load.ts";
import type { Order } from "./load-process.ts";
import type { MarketFiles } from "./markets.ts";
import { type Asked, type Reading, readingFrom } from "./reading.ts";

/** A service under load. */
export type Service = {
  readonly url: string;
  readonly chainId: number;
  /** Different prices, so that a kept answer serves none of them within a block. */
  readonly paths: readonly string[];
  /** What the process says of itself since it was asked last. */
  reading(): Promise<Reading>;
  /** Undefined where the program is not the bench's own. */
  readonly inside: Inside | undefined;
  end(): Promise<void>;
};

/** What only a process of the bench can be asked. */
export type Inside = {
  memory(): Promise<Memory>;
  /** The same once the garbage of every thread is collected. */
  collected(): Promise<Memory>;
  /** Commits no blocks until `work`, so that other services have the machine. */
  rest(): Promise<void>;
  work(): Promise<void>;
  /** Ends a search thread while nobody else asks: milliseconds until the next price is answered. */
  takeover(path: string): Promise<number>;
  /** Runs `during` with searches limited to one path. */
  onePath<T>(during: () => Promise<T>): Promise<T>;
};

const children = new Set<ChildProcess>();

/** Ends every process that was started and has not ended. */
export function endAll(): void {
  for (const child of children) if (child.connected) child.disconnect();
}

/** Flags of `npm start`; a test holds them together. */
export const RUNTIME_FLAGS = ["--max-semi-space-size=8"];
const COMPILE_CACHE = new URL("../../src/compile-cache.mjs", import.meta.url).href;

/** Another process of the bench, with the runtime's limits of the service; it ends when it is disconnected. */
export function start(script: string, ...args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: [...RUNTIME_FLAGS, `--import=${COMPILE_CACHE}`],
    // `npm start` sets it too (`src/fewer-arenas.mjs`), by which a process loses the channel to its parent.
    env: { ...process.env, MALLOC_ARENA_MAX: "2" },
  });
  children.add(child);
  return child;
}

/** The next message of a process. @throws Error where it ends before */
export async function message<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, "exit", { signal }).then(([code]) =>
    Promise.reject(new Error(`a process ended: ${code}`)),
  );
  try {
    const [value] = await Promise.race([once(child, "message", { signal }), ended]);
    return value as T;
  } finally {
    over.abort();
  }
}

function ask<T>(child: ChildProcess, what: Asked): Promise<T> {
  const answer = message<T>(child);
  child.send(what);
  return answer;
}

export async function end(child: ChildProcess): Promise<void> {
  children.delete(child);
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}

/** What clients in a process of their own see. */
export async function under(order: Order): Promise<Seen> {
  const clients = start("load-process.ts");
  const seen = await told(clients, order);
  await end(clients);
  return seen;
}

/** A client beside others that ask for prices: often enough that a hundredth of its answers is more than the slowest. */
export const QUIET = { clients: 1, pauseMs: 10 };

/** Long enough for a client to compile its code and to connect. */
const REHEARSAL_MS = 200;

/**
 * What clients see who begin together, each in a process of its own, once all of them have started and asked for a while: to start four processes
 * takes both cores longer than the slowest answer that is measured.
 */
export async function underAll(orders: readonly Order[]): Promise<Seen[]> {
  const all = orders.map((order) => ({ order, clients: start("load-process.ts") }));
  const rehearsal = { clients: 1, durationMs: REHEARSAL_MS, paths: ["/livez"] };
  await Promise.all(all.map(({ order: { url }, clients }) => told(clients, { url, ...rehearsal })));
  const seen = await Promise.all(all.map(({ order, clients }) => told(clients, order)));
  await Promise.all(all.map(({ clients }) => end(clients)));
  return seen;
}

function told(clients: ChildProcess, order: Order): Promise<Seen> {
  const seen = message<Seen>(clients);
  clients.send(order);
  return seen;
}

/** A market file behind the service's own market, search threads, use cases and HTTP. */
export async function serveFiles(files: MarketFiles, threads: number, changes: number): Promise<Service> {
  const child = start("serve.ts", files.market, `${threads}`, `${changes}`);
  const { url } = await message<{ url: string }>(child);
  const orders = readOrders(files.orders);
  return {
    url,
    chainId: 1,
    paths: Array.from({ length: 20 * orders.length }, (_, k) => {
      const { tokenIn, tokenOut, amountIn } = orders[k % orders.length]!;
      return priceOf(1, tokenIn, tokenOut, BigInt(amountIn) + BigInt(k));
    }),
    reading: () => ask<Reading>(child, "reading"),
    inside: {
      memory: () => ask(child, "memory"),
      collected: () => ask(child, "collected"),
      rest: () => ask(child, "rest"),
      work: () => ask(child, "work"),
      takeover: (path) => takeover(child, `${url}${path}`),
      async onePath(during) {
        await ask(child, "one path");
        const result = await during();
        await ask(child, "all paths");
        return result;
      },
    },
    end: () => end(child),
  };
}

async function takeover(child: ChildProcess, url: string): Promise<number> {
  const { atMs } = await ask<{ atMs: number }>(child, "end a thread");
  // A request that was given to the thread before it is known to have ended is refused, and told to come again.
  for (let tries = 0; tries < MOST_TRIES; tries++) if ((await fetch(url)).ok) return Date.now() - atMs;
  return Number.NaN;
}

const MOST_TRIES = 10_000;

const DEVNET = 31_337;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** The whole program over its devnet, as a newcomer starts it. */
export async function serveDevnet(threads: number): Promise<Service> {
  const stack = await startStack({ ROUTE_WORKERS: `${threads}`, MAX_CONCURRENT_SEARCHES: "256" });
  const answer = await fetch(`${stack.url}/v1/${DEVNET}/tokens`);
  const { tokens } = (await answer.json()) as { tokens: { address: string }[] };
  const bought = tokens.map(({ address }) => address).filter((address) => address !== NATIVE);
  const paths = Array.from({ length: 4_000 }, (_, k) => {
    const amount = 10n ** BigInt(16 + (k % 5)) + BigInt(k);
    return priceOf(DEVNET, NATIVE, bought[k % bought.length]!, amount);
  });
  const end = async () => void (await stack.stop());
  const service = { url: stack.url, chainId: DEVNET, paths, inside: undefined };
  return { ...service, reading: () => readingOf(stack), end };
}

function priceOf(chainId: number, from: string, to: string, amount: bigint): string {
  return `/v1/${chainId}/price?fromTokenAddress=${from}&toTokenAddress=${to}&amount=${amount}`;
}

async function readingOf({ url }: Stack): Promise<Reading> {
  return readingFrom(await (await fetch(`${url}/metrics`)).text());
}
