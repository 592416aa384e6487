import { afterEach, describe, expect, test, vi } from "vitest";
import {
  NATIVE,
  type QuoteAnswer,
  type QuoteParameters,
  ROUTER,
  type SwapRequest,
  type SwapStage,
} from "../../packages/sdk/src/index.ts";
import { runSwap } from "../../packages/sdk/src/swap/swap.ts";
import { type Answer, braid, injected, ME, quoted } from "./injected.ts";

/** Swaps by wallets that answer in other ways than the standards say, late, or never. */

const request = { sell: NATIVE, buy: NATIVE, amount: 5n } satisfies Partial<SwapRequest>;
const word = (value: bigint) => value.toString(16).padStart(64, "0");
const calldata = `0xb6b4c488${word(1000n)}${word(880n)}`;
const sale = { sell: ME, buy: NATIVE, amount: 1000n } satisfies Partial<SwapRequest>;
const permit = { eip2612: { ready: true, permit_nonce: 0n, typed_data: {} } };
const selling = { ...quoted, amount_in: 1000n, value: 0n, calldata };
const serving = (answer: object) => ({ ...braid, quote: async () => answer as QuoteAnswer });
/** A token whose balance suffices and whose allowance is 0. */
const eth_call: Answer = ([call]) =>
  `0x${word((call as { data: string }).data.startsWith("0xdd62ed3e") ? 0n : 1000n)}`;
const eth_getCode: Answer = () => "0x";

describe("a request that the wallet's owner rejects is WALLET_REFUSED", () => {
  test.each([
    { code: -32603, message: "Internal JSON-RPC error.", data: { code: 4001, message: "denied" } },
    { code: -32603, message: "Internal JSON-RPC error.", data: { originalError: { code: 4001 } } },
    { error: { code: "4001" } },
    { code: -32000, message: "User rejected the request." },
    "MetaMask Tx Signature: User denied transaction signature.",
    { message: "Transaction cancelled by user" },
  ])("%j", async (rejection) => {
    const { wallet } = injected({ eth_sendTransaction: () => Promise.reject(rejection) });
    const swap = runSwap(braid, { ...request, wallet }, undefined);
    await expect(swap).rejects.toMatchObject({ reason: "WALLET_REFUSED", cause: rejection });
  });
});

test.each([
  [{ code: -32603, data: { message: "insufficient funds" } }, "insufficient funds"],
  [{ message: "Internal JSON-RPC error.", data: { message: "nonce too low" } }, "nonce too low"],
  [{ shortMessage: "An internal error was received.", cause: { message: "locked\nmore" } }, "locked"],
  [{ message: "Internal error", data: "0x08c379a0" }, "Internal error"],
  [{}, "it gave no reason"],
  [undefined, "it gave no reason"],
])("the failure of a wallet that rejects with %j says %s", async (rejection, words) => {
  const { wallet } = injected({ eth_sendTransaction: () => Promise.reject(rejection) });
  const failed = { reason: "WALLET_FAILED", message: `The wallet failed: ${words}` };
  await expect(runSwap(braid, { ...request, wallet }, undefined)).rejects.toMatchObject(failed);
});

test("a swap that reverts when the service runs it asks the wallet for nothing", async () => {
  const message = "The transaction reverts when it is run now: paused.";
  const notices = [{ code: "REVERTS", severity: "critical", message, details: { reason: "paused" } }];
  const { sent, wallet } = injected();
  const swap = runSwap(serving({ ...quoted, notices }), { ...request, wallet }, undefined);
  await expect(swap).rejects.toMatchObject({ reason: "SIMULATION_FAILED", code: 2100, message });
  expect(sent).toEqual([]);
});

test("a quote that reverts on a block from before the allowance is requested from the wallet's block on", async () => {
  const notices = [{ code: "REVERTS", message: "TRANSFER_FROM_FAILED" }];
  const signing = { permit_signature: `0x${"ab".repeat(64)}1b` };
  const asked: Partial<QuoteParameters>[] = [];
  const quote = async (of: QuoteParameters) => {
    asked.push({ permit_signature: of.permit_signature, min_block: of.min_block });
    const isOutdated = of.permit_signature !== undefined && of.min_block === undefined;
    return { ...selling, permit, notices: isOutdated ? notices : [] } as unknown as QuoteAnswer;
  };
  const eth_signTypedData_v4 = () => signing.permit_signature;
  const { wallet } = injected({ eth_call, eth_getCode, eth_signTypedData_v4, eth_blockNumber: () => "0xf" });
  const result = await runSwap({ ...braid, quote }, { ...sale, wallet }, undefined);
  expect(result.allowedBy).toBe("eip2612");
  expect(asked).toEqual([{}, signing, { ...signing, min_block: 15 }]);
});

test.each([
  ["the wallet's node is behind: the router is approved", true, "approval", 2],
  ["the service is behind: the swap is sent", false, "allowance", 1],
] as const)(
  "where both contradict each other about the allowance and %s",
  async (_who, isSpent, allowedBy, count) => {
    const issues = { allowance: { spender: ROUTER, needed: 1000n, actual: 0n } };
    const asked: unknown[] = [];
    const quote = async ({ min_block }: QuoteParameters) => {
      asked.push(min_block);
      const isShort = isSpent || min_block === undefined;
      return { ...selling, issues: isShort ? issues : {} } as unknown as QuoteAnswer;
    };
    const plenty: Answer = () => `0x${word(1000n)}`;
    const { sent, wallet } = injected({ eth_call: plenty, eth_blockNumber: () => "0xf" });
    const result = await runSwap({ ...braid, quote }, { ...sale, wallet, approval: "approve" }, undefined);
    expect(asked.slice(0, 2)).toEqual([undefined, 15]);
    expect(result.allowedBy).toBe(allowedBy);
    expect(sent).toHaveLength(count);
  },
);

test("why a swap reverted is asked again of a node that does not have its block yet", async () => {
  const mined = { transactionHash: "0x1", from: ME, blockNumber: "0x10", status: "0x0", gasUsed: "0x1" };
  const failures = ["header not found", "Block not found", "execution reverted: paused"];
  const eth_call = () => Promise.reject({ code: -32000, message: failures.shift() });
  const { wallet } = injected({ eth_call, eth_getTransactionReceipt: () => ({ ...mined, logs: [] }) });
  const swap = runSwap(braid, { ...request, wallet }, undefined);
  await expect(swap).rejects.toMatchObject({
    message: "The transaction 0x1 reverted: execution reverted: paused.",
  });
});

describe("an approval in whose place the owner approves less", () => {
  /** The receipt of an approval of this amount. */
  const approving = (amount: bigint): Answer => {
    const topic = (account: string) => `0x${account.slice(2).padStart(64, "0")}`;
    const event = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    const log = { address: ME, topics: [event, topic(ME), topic(ROUTER)], data: `0x${word(amount)}` };
    const mined = { transactionHash: "0x1", from: ME, blockNumber: "0x10", status: "0x1", gasUsed: "0x1" };
    return () => ({ ...mined, logs: [log] });
  };
  const order = { ...sale, approval: "approve", side: "BUY", slippagePercent: 10 } as const;

  test("than the swap takes is refused before the swap is sent", async () => {
    const { sent, wallet } = injected({ eth_call, eth_getTransactionReceipt: approving(999n) });
    const swap = runSwap(serving(selling), { ...order, wallet }, undefined);
    const details = [{ field: "allowance", needed: "1000", actual: "999" }];
    await expect(swap).rejects.toMatchObject({ reason: "INSUFFICIENT_ALLOWANCE", details });
    expect(sent.map(({ to }) => to)).toEqual([ME]);
  });

  test("than the slippage allows bounds what an exact purchase may cost", async () => {
    const { wallet } = injected({ eth_call, eth_getTransactionReceipt: approving(1010n) });
    let asked = 0;
    const quote = async () =>
      ({ ...selling, amount_in: asked++ === 0 ? 1000n : 1020n }) as unknown as QuoteAnswer;
    const swap = runSwap({ ...braid, quote }, { ...order, wallet }, undefined);
    await expect(swap).rejects.toMatchObject({ reason: "PRICE_MOVED" });
  });
});

test("a wallet that cannot sign, or signs as a contract does, is asked for an approval", async () => {
  const unable = () => Promise.reject({ code: -32601, message: "not supported" });
  for (const eth_signTypedData_v4 of [unable, () => null, () => `0x${"ab".repeat(300)}`]) {
    const { sent, wallet } = injected({ eth_call, eth_getCode, eth_signTypedData_v4 });
    const result = await runSwap(serving({ ...selling, permit }), { ...sale, wallet }, undefined);
    expect([result.allowedBy, sent.map(({ to }) => to)]).toEqual(["approval", [ME, ROUTER]]);
    const only = runSwap(
      serving({ ...selling, permit }),
      { ...sale, wallet, approval: "signature" },
      undefined,
    );
    await expect(only).rejects.toMatchObject({ reason: "WALLET_FAILED" });
  }
});

describe("a wallet that sends calls as one batch", () => {
  const wallet_getCapabilities: Answer = () => ({ "0x1": { atomic: { status: "ready" } } });
  const wallet_getCallsStatus: Answer = () => ({ status: 200, receipts: [{ transactionHash: "0x1" }] });
  const own = { eth_call, eth_getCode, wallet_getCapabilities, wallet_getCallsStatus };

  test("may answer the id itself, and the id is told", async () => {
    for (const answer of ["0xba7c", { id: "0xba7c" }]) {
      const { wallet } = injected({ ...own, wallet_sendCalls: () => answer });
      const steps: SwapStage[] = [];
      const onStep = (step: SwapStage) => void steps.push(step);
      const result = await runSwap(serving(selling), { ...sale, wallet, onStep }, undefined);
      expect(result.allowedBy).toBe("batch");
      expect(steps).toContainEqual({ stage: "batched", id: "0xba7c" });
    }
  });

  test("and answers no id has failed, and may have sent it", async () => {
    const { wallet } = injected({ ...own, wallet_sendCalls: () => null });
    const swap = runSwap(serving(selling), { ...sale, wallet }, undefined);
    await expect(swap).rejects.toMatchObject({
      reason: "WALLET_FAILED",
      message: expect.stringContaining("it may have sent the transaction"),
    });
  });

  test("or does not, since its owner rejects the upgrade that it needs, is asked for an approval", async () => {
    const wallet_sendCalls = () => Promise.reject({ code: 5750, message: "User rejected the upgrade" });
    const { sent, wallet } = injected({ ...own, wallet_sendCalls });
    const result = await runSwap(serving(selling), { ...sale, wallet }, undefined);
    expect([result.allowedBy, sent.map(({ to }) => to)]).toEqual(["approval", [ME, ROUTER]]);
  });

  test("tells onStep its id also where the swap was aborted meanwhile", async () => {
    const end = new AbortController();
    let answer: (given: object) => void = () => {};
    const wallet_sendCalls = () => {
      setTimeout(() => end.abort(new Error("enough")));
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const { wallet } = injected({ ...own, wallet_sendCalls });
    const told = Promise.withResolvers<string>();
    const onStep: SwapRequest["onStep"] = (step) => void (step.stage === "batched" && told.resolve(step.id));
    const swap = runSwap(serving(selling), { ...sale, wallet, onStep, signal: end.signal }, undefined);
    await expect(swap).rejects.toThrow("enough");
    answer({ id: "0xba7c" });
    expect(await told.promise).toBe("0xba7c");
  });
});

describe("a wallet that never answers", () => {
  afterEach(() => void vi.useRealTimers());
  const silent: Answer = () => new Promise(() => {});

  test("the question for its capabilities is asked for a signature or an approval", async () => {
    vi.useFakeTimers();
    const { wallet } = injected({ eth_call, eth_getCode, wallet_getCapabilities: silent });
    const swap = runSwap(serving(selling), { ...sale, wallet }, undefined);
    await vi.runAllTimersAsync();
    expect((await swap).allowedBy).toBe("approval");
  });

  test("a question about its chain has failed, which says what to check", async () => {
    vi.useFakeTimers();
    const { wallet } = injected({ eth_chainId: silent });
    const swap = runSwap(braid, { ...request, wallet }, undefined);
    const failed = expect(swap).rejects.toMatchObject({
      reason: "WALLET_FAILED",
      message: "The wallet has not answered eth_chainId for 30 s. Check that it is open and connected.",
    });
    await vi.runAllTimersAsync();
    await failed;
  });
});
