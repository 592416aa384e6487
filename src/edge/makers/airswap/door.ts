import { getAddress } from "viem/utils";
import { ROUTER_ADDRESS } from "../../../core/encoding/index.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import { type Door, type Judged, unanswered } from "../door.ts";
import { type AskMaker, connectMaker } from "../wire/request.ts";
import { type AirSwapMaker, createFactReader, type FactReader, type ReadChain } from "./facts.ts";
import { judgeOrder } from "./order.ts";
import type { CheckOrder } from "./order-facts.ts";
import { airSwapPrices } from "./pricing.ts";

/** Methods that return prices, tried in turn: some servers support only the second. */
const PRICING = ["getPricingERC20", "getAllPricingERC20"] as const;

type DoorParts = { readonly readChain: ReadChain; readonly checkOrder: CheckOrder };
type Open = {
  readonly maker: AirSwapMaker;
  readonly ask: AskMaker;
  readonly facts: FactReader;
  readonly checkOrder: CheckOrder;
};

/**
 * Client of a maker that serves AirSwap's protocol, JSON-RPC 2.0 by POST to one URL. Its orders name the router as
 * sender and can only be filled whole.
 *
 * @source tools/libraries/src/Server.ts and tools/utils/spec/airswap-protocol.json of airswap-protocols, a117f69c
 */
export function openAirSwapDoor(maker: AirSwapMaker, { readChain, checkOrder }: DoorParts): Door {
  const { ask, close } = connectMaker(maker);
  const open: Open = { maker, ask, facts: createFactReader(maker, readChain), checkOrder };
  const pairs = maker.airSwap.pairs.flatMap(([a, b]) => [
    { baseToken: a, quoteToken: b },
    { baseToken: b, quoteToken: a },
  ]);
  /** The last failure of each method since one of them last returned prices. */
  const refusals = new Map<string, string>();
  let turn = 0;
  return {
    async levels(timeoutMs) {
      const method = PRICING[turn]!;
      const asking = call(ask, { method, params: turn === 0 ? { pairs } : [], timeoutMs });
      const [answer, facts] = await Promise.all([asking.catch((error: Error) => error), open.facts.read()]);
      if (typeof facts === "string") return facts;
      if (!(answer instanceof Error) && "result" in answer) {
        refusals.clear();
        return airSwapPrices(maker, answer.result, facts);
      }
      turn = 1 - turn;
      refusals.set(method, answer instanceof Error ? answer.message : answer.refusal);
      return `levels: ${[...refusals].map(([asked, why]) => `${asked}: ${why}`).join("; ")}`;
    },
    firm: (wanted, timeoutMs) => firm(open, wanted, timeoutMs),
    close,
  };
}

async function firm(
  { maker, ask, facts, checkOrder }: Open,
  wanted: FirmAsk,
  timeoutMs: number,
): Promise<Judged> {
  const endMs = performance.now() + timeoutMs;
  const known = facts.last();
  if (known === undefined) return { outcome: "unchecked", order: undefined };
  try {
    const params = orderParams(maker, wanted);
    const answer = await call(ask, { method: "getSignerSideOrderERC20", params, timeoutMs });
    if ("refusal" in answer) return { outcome: "refused", order: undefined };
    const leftMs = () => endMs - performance.now();
    return await judgeOrder(maker, answer.result, wanted, { facts: known, checkOrder, leftMs });
  } catch (error) {
    return unanswered(error);
  }
}

/** `swapContract` is in checksummed form because servers compare it as text. `minExpiry` is seconds from now. */
function orderParams({ chainId, airSwap: { settler } }: AirSwapMaker, wanted: FirmAsk): object {
  return {
    chainId: String(chainId),
    swapContract: getAddress(settler),
    senderAmount: wanted.takerAmount.toString(),
    signerToken: wanted.makerToken,
    senderToken: wanted.takerToken,
    senderWallet: ROUTER_ADDRESS,
    minExpiry: String(Math.max(1, wanted.leastExpiry - Math.floor(Date.now() / 1000))),
    ...(wanted.taker === undefined ? {} : { proxyingFor: wanted.taker }),
  };
}

type Called = { readonly method: string; readonly params: object; readonly timeoutMs: number };
type Answered = { readonly result: unknown } | { readonly refusal: string };

const UPGRADE_REQUIRED = 426;
/** In AirSwap's last look, over WebSocket, the taker signs first and the maker then decides whether to fill. */
const ONLY_SOCKETS = "the server speaks over WebSocket only (last look), which is not supported";

/** Makes one JSON-RPC call. @throws LateError at the deadline; Error where the response is not JSON-RPC */
async function call(ask: AskMaker, { method, params, timeoutMs }: Called): Promise<Answered> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const { status, json } = await ask({ path: "", body, timeoutMs });
  if (status === UPGRADE_REQUIRED) throw new Error(`status ${status}: ${ONLY_SOCKETS}`);
  if (typeof json !== "object" || json === null) throw new Error(`status ${status} without an answer`);
  const { result, error } = json as { result?: unknown; error?: { message?: unknown } | null };
  if (error !== undefined && error !== null) return { refusal: String(error.message).slice(0, 200) };
  if (result === undefined || result === null) throw new Error(`status ${status} without a result`);
  return { result };
}
