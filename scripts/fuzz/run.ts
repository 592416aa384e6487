import { Agent, request as httpRequest } from "node:http";
import { type Document, endpointsOf } from "./document.ts";
import { type Known, type Random, requestTo, type Sent } from "./generate.ts";

/** An answer that the document does not promise. */
export type Finding = {
  readonly request: Sent;
  readonly status: number;
  readonly fault: string;
  readonly body: string;
};

export type Tally = {
  readonly requests: number;
  /** By endpoint and status. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
};

export type FuzzRequest = {
  readonly url: string;
  readonly requests: number;
  readonly random: Random;
  /** Requests in work at a time. */
  readonly parallel: number;
};

type Answer = { readonly status: number; readonly type: string; readonly text: string };

/** What answers serves no OpenAPI document, platforms and tokens. */
export class NoService extends Error {
  override readonly name = "NoService";
}

/** What is found at most before the run ends. */
const MOST_FINDINGS = 20;

/** Sends requests over sockets, good ones and bad ones, and compares every answer with the service's own OpenAPI document. */
export async function fuzz({ url, requests, random, parallel }: FuzzRequest): Promise<Tally> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const get = async (path: string) =>
    JSON.parse((await send(url, agent, { method: "GET", url: path, headers: {}, body: undefined })).text);
  const { endpoints, known } = await describedBy(get).catch((cause: unknown) => {
    throw new NoService("the service does not describe itself", { cause });
  });
  const statuses = new Map<string, number>();
  const findings: Finding[] = [];
  let sent = 0;
  const worker = async () => {
    while (sent < requests && findings.length < MOST_FINDINGS) {
      sent++;
      const endpoint = endpoints[Math.floor(random() * endpoints.length)]!;
      const request = requestTo(endpoint, known, random);
      const answer = await send(url, agent, request);
      const key = `${endpoint.method} ${endpoint.path} ${answer.status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      const fault = endpoint.fault(answer.status, answer.type, answer.text);
      if (fault !== undefined)
        findings.push({ request, status: answer.status, fault, body: answer.text.slice(0, 500) });
      learn(known, answer);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  agent.destroy();
  return { requests: sent, statuses, findings };
}

async function describedBy(get: (path: string) => Promise<unknown>) {
  const endpoints = endpointsOf((await get("/openapi.json")) as Document);
  return { endpoints, known: await knownOf(get) };
}

async function knownOf(get: (path: string) => Promise<unknown>): Promise<Known> {
  const { platforms } = (await get("/v1/platforms")) as { platforms: { chainId: number }[] };
  const chainIds = platforms.map(({ chainId }) => String(chainId));
  const { tokens } = (await get(`/v1/${chainIds[0]}/tokens`)) as { tokens: { address: string }[] };
  const addresses = tokens.slice(0, 12).map(({ address }) => address);
  return { chainIds, tokens: addresses, quoteIds: ["0".repeat(32)], hashes: [`0x${"5e".repeat(32)}`] };
}

const MOST_IDS = 32;

/** Ids of answers are asked about later. */
function learn({ quoteIds }: Known, { status, text }: Answer): void {
  const id = status === 200 ? /"quote_id":"([0-9a-f]{32})"/.exec(text)?.[1] : undefined;
  if (id === undefined) return;
  quoteIds.push(id);
  if (quoteIds.length > MOST_IDS) quoteIds.shift();
}

/** A stream has no end: its head is the answer. */
function send(base: string, agent: Agent, { method, url, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      `${base}${url}`,
      { method, agent, headers: { ...headers, ...length } },
      (response) => {
        const status = response.statusCode ?? 0;
        const type = response.headers["content-type"] ?? "";
        if (type.startsWith("text/event-stream")) {
          response.destroy();
          resolve({ status, type, text: "" });
          return;
        }
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => resolve({ status, type, text: Buffer.concat(parts).toString("utf8") }));
        response.on("error", reject);
      },
    );
    request.on("error", (error) => reject(new Error(`${method} ${url.slice(0, 200)}: ${error.message}`)));
    request.end(body);
  });
}
