import type { ServerResponse } from "node:http";

/** How a node misbehaves: what its transport does, what is wrong with its logs, or with its chain. */
export const FAULTS = [
  "none",
  "http-500",
  "reset",
  "html",
  "429-text",
  "429-json",
  // Nothing may be asked for twenty seconds.
  "429-long",
  "limit-code",
  "hang",
  "garbage",
  "huge",
  // Logs are always none; every third is missing; the first word of each has another value.
  "empty-logs",
  "dropped-logs",
  "forged-logs",
  // The same in receipts, too: every third log is missing, or has another value, wherever it is shown.
  "dropped-receipts",
  "forged-receipts",
  // Another chain id and other block hashes.
  "wrong-chain",
  // Batches are refused with one error object.
  "no-batch",
] as const;

export type Fault = (typeof FAULTS)[number];

/** Answers in place of the node; false where the fault does not concern the transport. */
export function spoil(fault: Fault, response: ServerResponse): boolean {
  switch (fault) {
    case "http-500":
      response.writeHead(500).end("Internal Server Error");
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Maintenance</body></html>");
      return true;
    case "429-text":
      response.writeHead(429, { "retry-after": "1" }).end("Too Many Requests");
      return true;
    case "429-long":
      response.writeHead(429, { "retry-after": "20" }).end("Too Many Requests");
      return true;
    case "429-json":
      response
        .writeHead(429)
        .end(JSON.stringify({ jsonrpc: "2.0", error: { code: 429, message: "slow down" } }));
      return true;
    case "garbage":
      response.writeHead(200).end('{"jsonrpc":"2.0","id":1,"resu');
      return true;
    case "huge":
      response.writeHead(200).end(`"${"x".repeat(3_000_000)}"`);
      return true;
    case "reset":
      response.destroy();
      return true;
    case "hang":
      return true;
    default:
      return false;
  }
}

type LogLike = { readonly data: string };

/** The result as a node with this fault gives it. */
export function bent(fault: Fault, method: string, result: unknown): unknown {
  if (!Array.isArray(result)) return bentBlock(fault, method, result);
  if (method === "eth_getLogs") return bentLogs(fault, result as LogLike[]);
  if (method !== "eth_getBlockReceipts" || !fault.endsWith("-receipts")) return result;
  return (result as { logs: LogLike[] }[]).map((one) => ({ ...one, logs: bentLogs(fault, one.logs) }));
}

function bentBlock(fault: Fault, method: string, result: unknown): unknown {
  if (fault !== "wrong-chain") return result;
  if (method === "eth_chainId") return "0x38";
  const isBlock = method === "eth_getBlockByNumber" && typeof result === "object" && result !== null;
  return isBlock ? { ...result, hash: `0x${"5a".repeat(32)}` } : result;
}

function bentLogs(fault: Fault, logs: readonly LogLike[]): readonly LogLike[] {
  if (fault === "empty-logs") return [];
  if (fault.startsWith("dropped-")) return logs.filter((_, k) => k % 3 !== 0);
  if (!fault.startsWith("forged-")) return logs;
  return logs.map((log) => (log.data.length < 66 ? log : { ...log, data: forged(log.data) }));
}

/** The lowest byte but one of the first word is another. */
function forged(data: string): string {
  const at = 2 + 60;
  const byte = (Number.parseInt(data.slice(at, at + 2), 16) ^ 0x5a).toString(16).padStart(2, "0");
  return `${data.slice(0, at)}${byte}${data.slice(at + 2)}`;
}
