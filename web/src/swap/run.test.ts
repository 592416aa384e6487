import { afterEach, expect, test, vi } from "vitest";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import type { PriceRequest } from "../api.ts";
import type { Way } from "./pay.ts";
import type { Quote } from "./quote.ts";
import { runSwap, type Step } from "./run.ts";

const ME = "0x1111111111111111111111111111111111111111";
const TOKEN = "0x2222222222222222222222222222222222222222";
const word = (value: bigint) => value.toString(16).padStart(64, "0");

type Answers = Readonly<Record<string, (parameter: unknown) => unknown>>;

/** What a token says of its holders: `held`, and `allowed` for the router. */
const tokenOf = (held: bigint, allowed: bigint) => (call: unknown) =>
  `0x${word((call as { data: string }).data.startsWith("0xdd62ed3e") ? allowed : held)}`;

/** Swaps by an injected wallet on chain 1 that mines at once; `answers` replace its own. */
async function swapBy(way: Way, answers: Answers) {
  const asked: string[] = [];
  const steps: Step[] = [];
  const own: Answers = {
    eth_chainId: () => "0x1",
    eth_call: tokenOf(100n, way === "none" ? 100n : 0n),
    eth_sendTransaction: () => "0x1",
    eth_getTransactionReceipt: () => ({ status: "0x1", blockNumber: "0x1", logs: [] }),
  };
  const provider = {
    request: async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
      asked.push(method);
      return (answers[method] ?? own[method])?.(params[0]) ?? null;
    },
  };
  const permit = { eip2612: { ready: true, permit_nonce: 0n, typed_data: {} } };
  const terms = { to: ROUTER, calldata: "0x01", value: 0n, approve_amount: 100n, amount_in: 100n, permit };
  const quote = { terms: { ...terms, valid_until: 1 } } as unknown as Quote;
  const request = { chainId: 1, tokenIn: TOKEN, tokenOut: ME, side: "SELL", amount: 100n, slippage: "5" };
  const session = { wallet: { provider } as never, account: ME, chainId: 1 };
  const { signal } = new AbortController();
  const plan = { session, request: request as PriceRequest, quote, accepted: quote, way, pollMs: 1, signal };
  const end = await runSwap(plan, (step) => void steps.push(step)).catch((error: Error) => error);
  return { end, asked, steps };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a wallet that gives no hash may have sent the swap, and its owner is told so", async () => {
  const { end, steps } = await swapBy("none", { eth_sendTransaction: () => null });
  expect(end).toMatchObject({ kind: "refused", fault: { text: expect.stringContaining("may have sent") } });
  expect(steps).toEqual([{ kind: "confirm" }]);
});

test("what another window of the page has sold meanwhile is not sent again, and its owner is told so", async () => {
  const sold = await swapBy("none", { eth_call: tokenOf(99n, 100n) });
  expect(sold.end).toMatchObject({
    fault: { text: expect.stringMatching(/holds less .* Nothing was swapped\.$/) },
  });
  const used = await swapBy("none", { eth_call: tokenOf(100n, 99n) });
  expect(used.end).toMatchObject({
    fault: { text: expect.stringMatching(/may take less .* Nothing was swapped\.$/) },
  });
  for (const { asked, steps } of [sold, used]) {
    expect(asked).not.toContain("eth_sendTransaction");
    expect(steps).toEqual([]);
  }
  const unread = await swapBy("none", { eth_call: () => Promise.reject(new Error("no node")) });
  expect(unread.end).toMatchObject({ kind: "mined" });
});

test("the gas of a swap has room for what changes until it is mined; what cannot be estimated is left to the wallet", async () => {
  const sentWith = async (eth_estimateGas: () => unknown) => {
    const sent: unknown[] = [];
    const eth_sendTransaction = (transaction: unknown) => {
      sent.push((transaction as { gas?: string }).gas);
      return "0x1";
    };
    const { end } = await swapBy("none", { eth_estimateGas, eth_sendTransaction });
    expect(end).toMatchObject({ kind: "mined" });
    return sent;
  };
  expect(await sentWith(() => "0x186a1")).toEqual(["0x1e849"]);
  expect(await sentWith(() => Promise.reject(new Error("execution reverted")))).toEqual([undefined]);
  expect(await sentWith(() => "many")).toEqual([undefined]);
});

test("a wallet that cannot sign, or signs as a contract does, says to approve instead", async () => {
  const unable = () => Promise.reject({ code: -32601, message: "not supported" });
  for (const eth_signTypedData_v4 of [unable, () => `0x${"ab".repeat(300)}`]) {
    const { end } = await swapBy("eip2612", { eth_signTypedData_v4 });
    expect(end).toMatchObject({ fault: { text: expect.stringContaining("choose to approve") } });
  }
});

test("what is signed needs no more of the wallet while the service is asked for a new quote", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
  const { steps } = await swapBy("eip2612", { eth_signTypedData_v4: () => `0x${"ab".repeat(65)}` });
  expect(steps).toEqual([{ kind: "sign" }, { kind: "quote" }]);
});

test("a wallet whose owner rejects the upgrade for a batch is asked for an approval", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
  const { asked } = await swapBy("approval", {
    wallet_getCapabilities: () => ({ "0x1": { atomic: { status: "ready" } } }),
    wallet_sendCalls: () => Promise.reject({ code: 5750, message: "User rejected the upgrade" }),
  });
  expect(asked).toContain("wallet_sendCalls");
  expect(asked).toContain("eth_sendTransaction");
});

test("an approval that the owner lowered ends the swap before it is sent", async () => {
  const topic = (account: string) => `0x${account.slice(2).padStart(64, "0")}`;
  const event = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
  const log = { address: TOKEN, topics: [event, topic(ME), topic(ROUTER)], data: `0x${word(99n)}` };
  const { end, asked } = await swapBy("approval", {
    eth_getTransactionReceipt: () => ({ status: "0x1", blockNumber: "0x1", logs: [log] }),
  });
  expect(end).toMatchObject({ kind: "refused", fault: { text: expect.stringContaining("less than this") } });
  expect(asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
});

test("the quote after an approval is asked for again where the service is not there yet and says when it will be", async () => {
  const paths: string[] = [];
  const behind = (headers: HeadersInit) => async (path: string) => {
    paths.push(path);
    const body = { reason: "STALE_STATE", message: "Block 1 was not reached within 1000 ms." };
    return Response.json(body, { status: 503, headers });
  };
  vi.useFakeTimers();
  vi.stubGlobal("fetch", behind({ "retry-after": "1" }));
  const swapping = swapBy("approval", {});
  await vi.advanceTimersByTimeAsync(2_000);
  const { end } = await swapping;
  const text = expect.stringMatching(/was not reached within 1000 ms\. Nothing was swapped\.$/);
  expect(end).toMatchObject({ kind: "refused", fault: { text } });
  expect(paths).toHaveLength(3);
  expect(paths.every((path) => path.includes("min_block=1"))).toBe(true);
  for (const headers of [{}, { "retry-after": "31" }]) {
    paths.length = 0;
    vi.stubGlobal("fetch", behind(headers));
    await swapBy("approval", {});
    expect(paths).toHaveLength(1);
  }
});

test("an answer that is no quote is the service's failure and not the wallet's", async () => {
  const offer = {
    amount_out_total: "1",
    estimate_gas_total: "1",
    gas_price: "1",
    token_in: "",
    token_out: "",
  };
  for (const body of [null, "x", { ...offer, routes: [] }, { ...offer, routes: [], valid_until: 1.5 }]) {
    vi.stubGlobal("fetch", async () => Response.json(body));
    const { end } = await swapBy("eip2612", { eth_signTypedData_v4: () => `0x${"ab".repeat(65)}` });
    const text = expect.stringMatching(/^This page cannot read the answer .* Nothing was swapped\.$/);
    expect(end).toMatchObject({ kind: "refused", fault: { text } });
  }
});
