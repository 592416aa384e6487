import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { BraidError } from "../../../core/errors.ts";
import type { JsonRpcAnswer, TestWalletPort } from "../../../service/ports/ports.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { invalid } from "../../schemas/validation.ts";

/** Methods that the web page needs to connect, sign, send and wait. None of them controls the node. */
const METHODS = new Set([
  "eth_accounts",
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_estimateGas",
  "eth_getBalance",
  "eth_getBlockByNumber",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_requestAccounts",
  "eth_sendTransaction",
  "eth_signTypedData_v4",
]);

/** Host headers of loopback requests. Other names are refused, since DNS rebinding can point them to the loopback. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

const Body = Type.Object({
  id: Type.Optional(Type.Unsafe<string | number | null>({ type: ["string", "number", "null"] })),
  method: Type.String(),
  params: Type.Optional(Type.Unknown()),
});

/**
 * POST /devnet/rpc: JSON-RPC to the devnet's unlocked test accounts, as a wallet for the web page. It exists only where
 * the embedded devnet is served. It answers only pages of this origin on the same machine; pages of other origins,
 * other host names and callers from other machines are refused.
 */
export function devnetRpcRoute(app: App, { testWallet }: Context): void {
  if (testWallet === undefined) return;
  const onRequest = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    refuseStrangers(request);
    done();
  };
  app.post("/devnet/rpc", { ...checked({ hide: true, body: Body }), onRequest }, async ({ body }) => {
    const { id, method, params } = body;
    const answer = await forward(testWallet, method, params);
    return { jsonrpc: "2.0", id: id ?? null, ...answer };
  });
}

async function forward(wallet: TestWalletPort, method: string, params: unknown): Promise<JsonRpcAnswer> {
  if (!METHODS.has(method))
    throw invalid([{ field: "method", reason: "is not one that the test wallet answers", value: method }]);
  const list = params ?? [];
  if (!Array.isArray(list)) throw invalid([{ field: "params", reason: "must be a list" }]);
  try {
    return await wallet.request(method === "eth_requestAccounts" ? "eth_accounts" : method, list);
  } catch {
    throw new BraidError("STALE_STATE", "The devnet's node does not answer.", { retryAfterSeconds: 1 });
  }
}

/** @throws BraidError NOT_FOUND for callers that may not use the test wallet */
function refuseStrangers({ headers, socket }: FastifyRequest): void {
  const { host = "", origin } = headers;
  const isLocal = LOOPBACK_HOST.test(host) && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? "");
  // Browsers send Origin with every POST. Other local programs can call the node directly.
  if (isLocal && origin === `http://${host}`) return;
  throw new BraidError(
    "NOT_FOUND",
    "POST /devnet/rpc answers only the page of this server, on this machine.",
  );
}
