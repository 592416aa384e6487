import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../wire/signed-request.ts";
import { type Clocks, createAdmission, NOT_SIGNED, type Signed } from "./admit.ts";
import type { Pusher, Refusal } from "./pusher.ts";

const MAKER_HEADER = "x-braid-maker";
const MAX_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_CONNECTIONS = 256;
/** A push has to arrive whole within this. */
const REQUEST_TIMEOUT_MS = 2_000;
/** Makers push more often than this, over one connection. */
const KEEP_ALIVE_MS = 10_000;

type ListenRequest = Clocks & {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly pushers: readonly Pusher[];
  readonly log: Logger;
};

export type PushListener = { readonly port: number; close(): Promise<void> };

/**
 * Takes makers' levels, `POST /levels`, on an address of its own: what it is flooded with costs the public one nothing, and an
 * operator can let makers alone reach it.
 *
 * @throws Error where the address cannot be used
 */
export async function openPushListener({
  host,
  port,
  pushers,
  log,
  ...clocks
}: ListenRequest): Promise<PushListener> {
  const byName = new Map(pushers.map((pusher) => [pusher.name, pusher]));
  const admit = createAdmission(clocks);
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer(
    { ...limits, ...timeouts, connectionsCheckingInterval: 500 },
    (request, response) => {
      take(request, byName, admit).then(
        (refusal) => answer(response, refusal),
        (error: unknown) => {
          log.error({ err: error }, "a push of levels failed");
          answer(response, { status: 500, why: "an error of this server" });
        },
      );
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** @returns why the push is refused */
async function take(
  request: IncomingMessage,
  byName: ReadonlyMap<string, Pusher>,
  admit: ReturnType<typeof createAdmission>,
): Promise<Refusal | undefined> {
  if (request.url !== "/levels") return { status: 404, why: "only POST /levels is here" };
  if (request.method !== "POST") return { status: 405, why: "levels are pushed by POST" };
  const { name, ...signed } = headersOf(request);
  const pusher = byName.get(name);
  // Nothing of who is not known is read.
  if (pusher === undefined) return { status: 401, why: NOT_SIGNED };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, why: `more than ${MAX_BYTES} bytes` };
  const admission = admit(pusher, { ...signed, body });
  if ("refusal" in admission) return admission.refusal;
  const levels = parsed(body);
  return levels === undefined
    ? { status: 400, why: "the body is no JSON" }
    : pusher.push(levels, admission.ageMs);
}

function headersOf({ headers }: IncomingMessage): Omit<Signed, "body"> & { name: string } {
  const text = (name: string) => String(headers[name] ?? "");
  return { name: text(MAKER_HEADER), timestamp: text(TIMESTAMP_HEADER), signature: text(SIGNATURE_HEADER) };
}

/** @returns undefined where it is too large */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > MAX_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A request that was not read to its end is not read on: its connection ends with the answer. */
function answer(response: ServerResponse, refusal: Refusal | undefined): void {
  if (response.destroyed) return;
  const { complete } = response.req;
  const ending = complete ? {} : { connection: "close" };
  if (refusal === undefined) return void response.writeHead(204, ending).end();
  const wait = refusal.status === 429 ? { "retry-after": "1" } : {};
  const headers = { "content-type": "application/json", ...ending, ...wait };
  response.writeHead(refusal.status, headers).end(JSON.stringify({ error: refusal.why }));
}
