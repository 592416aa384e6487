import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Hex, LocalAccount } from "viem";
import type { Level } from "../../src/core/rfq.ts";
import { sell } from "../../src/protocols/rfq/levels.ts";
import { type Book, makeBook, type Pair, type Rpc } from "./book.ts";
import { approvePermit2, type Lie, signOrder } from "./sign.ts";

/** How the maker misbehaves, for tests; may be changed while it runs. */
export type Manners = {
  /** Share of orders that it refuses, 0 … 1. */
  fade: number;
  /** Milliseconds that it takes for an order. */
  slowMs: number;
  lie: Lie | undefined;
};

export type MakerOptions = {
  /** Signs the orders. */
  readonly account: LocalAccount;
  /** A contract that holds the tokens, has approved Permit2 for them, and calls the account's signatures its own; absent = the account. */
  readonly wallet?: Hex | undefined;
  readonly pairs: readonly Pair[];
  readonly port: number;
  /** Requests must be signed with it; undefined = they need not. */
  readonly secret: string | undefined;
  readonly manners: Manners;
  readonly random: () => number;
};

export type Maker = {
  readonly url: string;
  /** Begins to quote the market of a node. */
  quote(rpc: Rpc): Promise<void>;
  stop(): Promise<void>;
};

const REPRICE_MS = 250;
/** A price that was told is kept for as long as others may hold it for fresh. */
const KEPT_MS = 2_500;

type Told = { readonly book: Book; untilMs: number };
type Desk = MakerOptions & { chainId: number; readonly told: Told[] };

/** The reference maker: levels around the market's price, orders signed for what they promise. */
export async function startMaker(options: MakerOptions): Promise<Maker> {
  const desk: Desk = { ...options, chainId: 0, told: [] };
  const over = new AbortController();
  const server = createServer((request, response) => {
    answer(desk, request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  let following = Promise.resolve();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async quote(rpc) {
      desk.chainId = Number(await rpc<Hex>("eth_chainId", []));
      if (desk.wallet === undefined) await approvePermit2(rpc, desk.account, [...new Set(desk.pairs.flat())]);
      following = follow(desk, rpc, over.signal);
    },
    async stop() {
      over.abort();
      await following;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function follow(desk: Desk, rpc: Rpc, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const holder = (desk.wallet ?? desk.account.address).toLowerCase() as Hex;
    const book = await makeBook(rpc, holder, desk.pairs).catch(() => undefined);
    const now = performance.now();
    while (desk.told[0] !== undefined && desk.told[0].untilMs < now) desk.told.shift();
    if (book !== undefined) desk.told.push({ book, untilMs: now + KEPT_MS });
    await wait(REPRICE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const { method, url = "" } = request;
  if (!isGenuine(desk, request, body)) return void response.writeHead(401).end();
  if (method === "GET" && url.startsWith("/levels?")) return levels(desk, url, response);
  if (method === "POST" && url === "/firm") return firm(desk, JSON.parse(body), response);
  response.writeHead(404).end();
}

/** Prices that are as old as they may be are not told again. */
function levels(desk: Desk, url: string, response: ServerResponse): void {
  const newest = desk.told.at(-1);
  const asked = new URLSearchParams(url.slice(url.indexOf("?"))).get("chain_id");
  if (newest === undefined || Number(asked) !== desk.chainId) return void response.writeHead(503).end();
  newest.untilMs = performance.now() + KEPT_MS;
  const { directions, inventory } = newest.book;
  json(response, {
    pairs: directions.map((one) => ({
      taker_token: one.sold,
      maker_token: one.bought,
      levels: one.levels.map(({ amountIn, amountOut }) => [amountIn.toString(), amountOut.toString()]),
    })),
    inventory: Object.fromEntries([...inventory].map(([token, amount]) => [token, amount.toString()])),
  });
}

type FirmBody = {
  chain_id: number;
  taker_token: Hex;
  taker_amount: string;
  maker_token: Hex;
  taker: Hex | null;
  least_expiry: number;
};

async function firm(desk: Desk, body: FirmBody, response: ServerResponse): Promise<void> {
  const { fade, slowMs, lie } = desk.manners;
  if (slowMs > 0) await wait(slowMs);
  const takerAmount = BigInt(body.taker_amount);
  const makerAmount = bestOf(desk, body, takerAmount);
  if (makerAmount === undefined || body.chain_id !== desk.chainId || desk.random() < fade)
    return void response.writeHead(204).end();
  const { order, signature } = await signOrder(
    desk.account,
    {
      chainId: desk.chainId,
      takerToken: body.taker_token,
      takerAmount,
      makerToken: body.maker_token,
      makerAmount,
      taker: body.taker ?? undefined,
      leastExpiry: body.least_expiry,
    },
    lie,
  );
  json(response, {
    maker_amount: order.makerAmount.toString(),
    nonce: order.nonce.toString(),
    expiry: order.expiry,
    signature,
  });
}

/** The best of all prices that may still be held for fresh: a maker keeps what it has told. */
function bestOf(desk: Desk, body: FirmBody, amount: bigint): bigint | undefined {
  const paid = desk.told.flatMap(({ book }) =>
    book.directions
      .filter(({ sold, bought }) => sold === body.taker_token && bought === body.maker_token)
      .flatMap(({ levels }: { levels: readonly Level[] }) => sell(levels, amount)?.amountOut ?? []),
  );
  return paid.reduce<bigint | undefined>(
    (best, one) => (best === undefined || one > best ? one : best),
    undefined,
  );
}

/** Whether a request is of the one who has the secret, and not of long ago. */
function isGenuine({ secret }: Desk, { method, url, headers }: IncomingMessage, body: string): boolean {
  if (secret === undefined) return true;
  const timestamp = String(headers["x-braid-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 30)) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}\n${method} ${url}\n${body}`).digest();
  const given = Buffer.from(String(headers["x-braid-signature"]), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
