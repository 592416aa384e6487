import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "../../src/core/types.ts";

/** A node behind a door that shows the chain as it was when one block was the newest. */
export type FrozenNode = {
  readonly url: string;
  close(): Promise<void>;
};

type Request = { readonly id?: unknown; readonly method: string; readonly params?: unknown };
type Answer = Readonly<Record<string, unknown>>;

const NAMES: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized"]);

/**
 * Passes JSON-RPC on with every name of the newest block replaced by `block`. Nothing later is told of.
 *
 * @param rpc http URL of a node that has the state of that block
 */
export async function freezeNode(rpc: string, block: number): Promise<FrozenNode> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      answer(rpc, block, Buffer.concat(parts).toString("utf8")).then(
        (text) => response.setHeader("content-type", "application/json").end(text),
        () => response.writeHead(502).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(rpc: string, block: number, body: string): Promise<string> {
  const asked = JSON.parse(body) as Request | Request[];
  const all = Array.isArray(asked) ? asked : [asked];
  const own = new Map<unknown, Answer>();
  for (const { id, method, params } of all)
    if (method === "eth_blockNumber") own.set(id, { jsonrpc: "2.0", id, result: hex(block) });
    else if (method === "eth_getBlockByNumber" && isLater(params, block))
      own.set(id, { jsonrpc: "2.0", id, result: null });
  const rest = all.filter(({ id }) => !own.has(id)).map((one) => pinned(one, block));
  const given = rest.length === 0 ? [] : await pass(rpc, rest);
  const answers = [...own.values(), ...given];
  return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
}

async function pass(rpc: string, requests: readonly Request[]): Promise<Answer[]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(rpc, { method: "POST", headers, body: JSON.stringify(requests) });
  return (await response.json()) as Answer[];
}

const hex = (block: number): Hex => `0x${block.toString(16)}`;

function isLater(params: unknown, block: number): boolean {
  const [name] = Array.isArray(params) ? params : [];
  return typeof name === "string" && /^0x[0-9a-f]+$/i.test(name) && Number(name) > block;
}

function pinned(request: Request, block: number): Request {
  const clamp = (value: unknown): unknown => {
    if (NAMES.has(value)) return hex(block);
    if (Array.isArray(value)) return value.map(clamp);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, limited(key, clamp(inner))]));
  };
  const limited = (key: string, value: unknown): unknown =>
    key === "toBlock" && Number(value) > block ? hex(block) : value;
  return { ...request, params: clamp(request.params) };
}
