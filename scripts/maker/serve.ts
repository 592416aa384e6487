import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Hex } from "viem";
import { PERMIT2_ADDRESS, SWAP_ERC20_ADDRESS } from "../../src/core/encoding/index.ts";
import { answerAirSwap, readTerms } from "./airswap.ts";
import { makeBook, type Rpc } from "./book.ts";
import { bestOf, bookOf, type Desk, KEPT_MS, type MakerOptions } from "./desk.ts";
import { levelsOf, type PushTarget, pushLevels } from "./levels.ts";
import { approveSpender, signOrder } from "./sign.ts";

export type Maker = {
  readonly url: string;
  /** Begins to quote the market of a node; `pushTo`: without being asked. */
  quote(rpc: Rpc, pushTo?: PushTarget): Promise<void>;
  stop(): Promise<void>;
};

const REPRICE_MS = 250;

/** The reference maker: levels around the market's price, orders signed for what they promise. */
export async function startMaker(options: MakerOptions): Promise<Maker> {
  const desk: Desk = { ...options, chainId: 0, told: [], terms: undefined };
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
    async quote(rpc, pushTo) {
      desk.chainId = Number(await rpc<Hex>("eth_chainId", []));
      const tokens = [...new Set(desk.pairs.flat())];
      const spender = desk.airSwap ? SWAP_ERC20_ADDRESS : PERMIT2_ADDRESS;
      if (desk.wallet === undefined) await approveSpender(rpc, desk.account, spender, tokens);
      if (desk.airSwap) desk.terms = await readTerms(rpc, tokens);
      const pushing = pushTo && pushLevels(desk, pushTo, over.signal);
      following = Promise.all([follow(desk, rpc, over.signal), pushing]).then(() => undefined);
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
  if (desk.airSwap) {
    const answered = method === "POST" ? await answerAirSwap(desk, JSON.parse(body)) : undefined;
    return answered === undefined ? void response.writeHead(404).end() : json(response, answered);
  }
  if (!isGenuine(desk, request, body)) return void response.writeHead(401).end();
  if (method === "GET" && url.startsWith("/levels?")) return levels(desk, url, response);
  if (method === "POST" && url === "/firm") return firm(desk, JSON.parse(body), response);
  response.writeHead(404).end();
}

function levels(desk: Desk, url: string, response: ServerResponse): void {
  const asked = new URLSearchParams(url.slice(url.indexOf("?"))).get("chain_id");
  const book = Number(asked) === desk.chainId ? bookOf(desk) : undefined;
  if (book === undefined) return void response.writeHead(503).end();
  json(response, levelsOf(book));
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
  const makerAmount = bestOf(desk, { sold: body.taker_token, bought: body.maker_token }, takerAmount);
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
