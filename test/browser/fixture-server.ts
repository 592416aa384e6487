import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type FixtureToken, LOGOLESS, paidIn, planFor, run, TOKENS } from "./fixture-market.ts";

/** How the service behaves from now on. */
export type Mode =
  | "normal"
  /** Offers carry the fields that the interface names, and nothing more. */
  | "bare"
  /** Prices are refused for a while, as by a service that lost its node. */
  | "stale"
  /** Nothing of the API answers. */
  | "down";

export type Fixture = {
  readonly url: string;
  /** Path and query of every price request so far. */
  readonly asked: string[];
  mode: Mode;
  /** Milliseconds that the answer for this amount is held back. */
  readonly delays: Map<string, number>;
  /** Back to normal. */
  reset(): void;
  stop(): Promise<void>;
};

/** Path of the page that asks this of the prepared chain. */
export function link(sell: FixtureToken, buy: FixtureToken, amount: string): string {
  return `/#chain=31337&sell=${sell.address}&buy=${buy.address}&amount=${amount}`;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves the built page, and answers shaped as the service's own, on a free port of the loopback. */
export async function startFixture(dist: string): Promise<Fixture> {
  const server = createServer((request, response) => {
    answer(fixture, dist, request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fixture: Fixture = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    mode: "normal",
    delays: new Map(),
    reset: () => {
      fixture.mode = "normal";
      fixture.delays.clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fixture;
}

async function answer(fixture: Fixture, dist: string, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? "/", fixture.url);
  if (!/^\/v\d\//.test(url.pathname)) return file(dist, url.pathname, response);
  if (fixture.mode === "down") return json(response, 503, failure("The service is starting.", "STALE_STATE"));
  if (url.pathname === "/v1/platforms") return json(response, 200, PLATFORMS);
  if (url.pathname === "/v1/31337/gasprices")
    return json(response, 200, { highInfo: { maxFeePerGas: "2.5" } });
  if (url.pathname === "/v2/tokens/list") return json(response, 200, await tokens(request));
  const pictured = /^\/v1\/31337\/tokens\/(0x[0-9a-f]{40})\/logo$/.exec(url.pathname)?.[1];
  if (pictured !== undefined) return logo(pictured, response);
  const one = /^\/v1\/31337\/tokens\/(0x[0-9a-f]{40})$/.exec(url.pathname)?.[1];
  if (one !== undefined) return tokenAt(one, response);
  fixture.asked.push(`${url.pathname}${url.search}`);
  const held = fixture.delays.get(url.searchParams.get("amount") ?? "") ?? 0;
  await new Promise((resolve) => setTimeout(resolve, held));
  if (fixture.mode === "stale") {
    const text = "The state of this chain is 41 s old; at most 30 s are allowed.";
    return json(response, 503, failure(text, "STALE_STATE"), { "retry-after": "1" });
  }
  const [status, body] = price(url.searchParams, fixture.mode === "bare");
  return json(response, status, body);
}

const PLATFORMS = {
  platforms: [
    { chainId: 31337, name: "Devnet", shortname: "devnet", native_symbol: "ETH", gas_unit: "GWEI" },
    { chainId: 1, name: "Ethereum", shortname: "eth" },
  ],
};

async function file(dist: string, path: string, response: ServerResponse) {
  const name = normalize(path === "/" ? "/index.html" : path);
  const body = await readFile(join(dist, name)).catch(() => undefined);
  if (body === undefined) return response.writeHead(404).end();
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body);
}

function json(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function failure(message: string, reason: string) {
  return { error: message, message, code: 0, reason, details: [], request_id: "1", status: 0 };
}

async function tokens(request: IncomingMessage): Promise<{ tokens: readonly FixtureToken[] }> {
  let text = "";
  for await (const part of request) text += part;
  const { filter = {} } = JSON.parse(text) as {
    filter?: { chain_ids?: number[]; symbols?: string[]; addresses?: string[]; is_active?: boolean };
  };
  const among = (list: string[] | undefined, value: string) =>
    list === undefined || list.some((one) => one.toLowerCase() === value.toLowerCase());
  return {
    tokens: TOKENS.filter(
      (token) =>
        (filter.chain_ids ?? [31337]).includes(token.chainId) &&
        token.is_active === (filter.is_active ?? true) &&
        among(filter.symbols, token.symbol) &&
        among(filter.addresses, token.address),
    ),
  };
}

/** A square of one colour; for one token none, as where a host of logos is down. */
function logo(address: string, response: ServerResponse) {
  const { symbol } = TOKENS.find((token) => token.address === address)!;
  if (symbol === LOGOLESS) return json(response, 404, failure("There is no logo.", "NOT_FOUND"));
  response.writeHead(200, { "content-type": "image/png" }).end(LOGO);
}

const LOGO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A token that no list names, under the symbol of one that lists do. */
export const IMPOSTOR = "0x00000000000000000000000000000000000000cc";

function tokenAt(address: string, response: ServerResponse) {
  const token = TOKENS.find((one) => one.address === address);
  if (token !== undefined) return json(response, 200, { ...token, is_listed: true, lookalikes: [] });
  const facts = { chainId: 31337, address, decimals: 18, priority: 9, is_active: false, is_listed: false };
  if (address === IMPOSTOR)
    return json(response, 200, { ...facts, symbol: "USDC", name: "USD Coin", lookalikes: ["0xa0"] });
  return json(response, 400, failure(`${address} is no token.`, "UNKNOWN_TOKEN"));
}

/** Above this the prepared market has nothing left. */
const MOST = 10n ** 24n;
const TOO_MUCH =
  "No liquidity from ETH (0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee) to USDC (0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48): too deep (1 in smallest units).";

function price(query: URLSearchParams, bare: boolean): [number, unknown] {
  const find = (name: string) => TOKENS.find((token) => token.address === query.get(name)?.toLowerCase());
  const [from, to] = [find("fromTokenAddress"), find("toTokenAddress")];
  if (from === undefined || to === undefined) return [400, failure("Unknown token.", "UNKNOWN_TOKEN")];
  const planned = planFor(from, to);
  if (planned === undefined) {
    return [400, failure(`No liquidity joins ${from.symbol} and ${to.symbol}.`, "NO_ROUTE")];
  }
  const asked = BigInt(query.get("amount") ?? "0");
  if (asked > MOST)
    return [400, { ...failure(TOO_MUCH, "NO_ROUTE"), details: [{ largest_amount: String(MOST) }] }];
  const pays = (amount: bigint) => paidIn(run(planned.plan, amount), to);
  const amount = query.get("side") === "BUY" ? leastFor(asked, pays) : asked;
  const steps = run(planned.plan, amount);
  const out = pays(amount);
  if (out === 0n) return [400, failure("No liquidity: the amount is too small to buy anything.", "NO_ROUTE")];
  const named = {
    amount_out_total: String(out),
    estimate_gas_total: String(60_000 + 90_000 * steps.length),
    token_in: from.address,
    token_out: to.address,
    gas_price: "14200000000",
    fee_recipient_amount: "0",
    routes: shares(steps),
  };
  return [200, bare ? named : { ...named, ...additive(steps, amount, query, planned.impactBps) }];
}

/** The least amount that pays what is wanted. */
function leastFor(wanted: bigint, pays: (amount: bigint) => bigint): bigint {
  let [low, high] = [0n, 1n];
  while (pays(high) < wanted) [low, high] = [high, high * 2n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (pays(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

type Steps = ReturnType<typeof run>;

function shares(steps: Steps) {
  const sources = [...new Set(steps.map((step) => step.source))].filter((source) => source !== "WETH");
  const each = Math.floor(100 / sources.length);
  return sources.map((protocol_name, k) => ({
    type: "dex",
    protocol_name,
    percent: k === 0 ? 100 - each * (sources.length - 1) : each,
  }));
}

function additive(steps: Steps, amount: bigint, query: URLSearchParams, impactBps: number) {
  const out = paidIn(steps, steps.at(-1)!.to);
  const ppm = BigInt(Math.round(Number(query.get("slippage")) * 1000));
  return {
    amount_in: String(amount),
    optimality: { upper_bound: String(out + out / 50_000n), gap_bps: 0.2 },
    min_amount_out: String((out * (1_000_000n - ppm)) / 1_000_000n),
    block_number: 10_977_000 + Math.floor(performance.now() / 1000),
    price_impact_bps: impactBps,
    warnings: impactBps >= 500 ? [`High price impact: ${impactBps / 100} % less than a small amount.`] : [],
    route_graph: {
      tokens: [...new Set(steps.flatMap((step) => [step.from, step.to]))].map(
        ({ address, symbol, decimals }) => ({ address, symbol, decimals }),
      ),
      steps: steps.map((step, k) => ({
        pool: `0x${(0xb000 + k).toString(16).padStart(40, "0")}`,
        protocol: step.source,
        deployment: step.source === "WETH" ? "wrapped-native" : step.source.toLowerCase(),
        token_in: step.from.address,
        token_out: step.to.address,
        amount_in: String(step.amountIn),
        amount_out: String(step.amountOut),
        share_q32: 4_294_967_296,
      })),
    },
  };
}
