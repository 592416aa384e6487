import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  type Braid,
  NATIVE,
  type QuoteAnswer,
  ROUTER,
  type SwapRequest,
} from "../../packages/sdk/src/index.ts";
import { runSwap } from "../../packages/sdk/src/swap/swap.ts";
import { type Answer, braid, injected, ME, quoted } from "./injected.ts";

/** Swaps by wallets that change, and by nodes that lag, between the steps of a swap. */

const request = { sell: NATIVE, buy: NATIVE, amount: 5n } satisfies Partial<SwapRequest>;

test("a wallet that changes its chain while the quote is confirmed sends nothing to the other chain", async () => {
  let chain = "0x1";
  const { sent, wallet } = injected({ eth_chainId: () => chain });
  const confirm = () => {
    chain = "0xa";
    return true;
  };
  await expect(runSwap(braid, { ...request, wallet, confirm }, undefined)).rejects.toMatchObject({
    reason: "WRONG_CHAIN",
  });
  expect(sent).toEqual([]);
});

test("a transaction names its chain, so that the wallet refuses it once it is on another one", async () => {
  const { sent, wallet } = injected();
  await runSwap(braid, { ...request, wallet }, undefined);
  expect(sent).toMatchObject([{ from: ME, to: ROUTER, chainId: "0x1" }]);
});

test("a mined swap is a result where the node has no state of its block yet", async () => {
  let asked = 0;
  const eth_getBalance: Answer = ([, block]) => {
    if (block === "0x10" && asked++ < 2) throw new Error("header not found");
    return block === "0xf" ? "0x64" : "0x3e8";
  };
  const { wallet } = injected({ eth_getBalance });
  const result = await runSwap(braid, { ...request, wallet }, undefined);
  expect([result.hash, result.amountOut]).toEqual(["0x1", 900n]);
});

test("a mined swap is a result without an amount where the node forgot the block before", async () => {
  const end = new AbortController();
  const eth_getBalance: Answer = ([, block]) => {
    if (block !== "0xf") return "0x3e8";
    end.abort();
    throw new Error("missing trie node");
  };
  const { wallet } = injected({ eth_getBalance });
  const result = await runSwap(braid, { ...request, wallet, buy: NATIVE, signal: end.signal }, undefined);
  expect([result.hash, result.amountOut, result.minimumOut]).toEqual(["0x1", undefined, 890n]);
});

test("a swap that is aborted before its transaction is handed to the wallet sends nothing", async () => {
  for (const aborting of ["eth_chainId", "eth_getBlockByNumber", "eth_getBalance", "confirm"]) {
    const end = new AbortController();
    const stop = () => end.abort(new Error(`enough at ${aborting}`));
    const answers: Readonly<Record<string, Answer>> = {
      eth_chainId: () => "0x1",
      eth_getBlockByNumber: () => ({ timestamp: "0x100" }),
      eth_getBalance: () => "0x3e8",
    };
    const stopping: Answer = (parameters) => {
      stop();
      return answers[aborting]!(parameters);
    };
    const { sent, wallet } = injected(aborting === "confirm" ? {} : { [aborting]: stopping });
    const confirm = () => {
      if (aborting === "confirm") stop();
      return true;
    };
    const swap = runSwap(braid, { ...request, wallet, confirm, signal: end.signal }, undefined);
    await expect(swap).rejects.toThrow(`enough at ${aborting}`);
    expect(sent).toEqual([]);
  }
});

test("a swap that is aborted ends, though the wallet or its owner never answers", async () => {
  const asking = ["eth_requestAccounts", "eth_chainId", "eth_getBalance", "eth_sendTransaction"];
  for (const silent of [...asking, "eth_getTransactionReceipt", "confirm"]) {
    const end = new AbortController();
    const hang = () => {
      setTimeout(() => end.abort(new Error(`enough at ${silent}`)));
      return new Promise<boolean>(() => {});
    };
    const { wallet } = injected(silent === "confirm" ? {} : { [silent]: hang });
    const confirm = silent === "confirm" ? hang : undefined;
    const swap = runSwap(braid, { ...request, wallet, confirm, signal: end.signal }, undefined);
    await expect(swap).rejects.toThrow(`enough at ${silent}`);
  }
});

test("a transaction that the wallet sends after the swap was aborted is told to onStep", async () => {
  const end = new AbortController();
  let answer: (hash: string) => void = () => {};
  const eth_sendTransaction = () => {
    setTimeout(() => end.abort(new Error("enough")));
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const { wallet } = injected({ eth_sendTransaction });
  const told = Promise.withResolvers<string>();
  const onStep: SwapRequest["onStep"] = (step) => void (step.stage === "sent" && told.resolve(step.hash));
  const swap = runSwap(braid, { ...request, wallet, onStep, signal: end.signal }, undefined);
  await expect(swap).rejects.toThrow("enough");
  answer("0x1");
  expect(await told.promise).toBe("0x1");
});

test.each<[string, string, Record<string, unknown>]>([
  ["WALLET_FAILED", "answers null to eth_chainId", { eth_chainId: null }],
  ["WALLET_FAILED", "answers undefined to eth_getBlockByNumber", { eth_getBlockByNumber: null }],
  ["WALLET_FAILED", "answers rich to eth_getBalance", { eth_getBalance: "rich" }],
  ["WALLET_FAILED", "answered null in the place of a transaction's hash", { eth_sendTransaction: null }],
  ["WALLET_FAILED", "answered [object Object] in the place", { eth_sendTransaction: { hash: "0x1" } }],
])("%s where the wallet %s", async (reason, message, answers) => {
  const fixed = Object.entries(answers).map(([method, answer]): [string, Answer] => [method, () => answer]);
  const { wallet } = injected(Object.fromEntries(fixed));
  const swap = runSwap(braid, { ...request, wallet }, undefined);
  await expect(swap).rejects.toMatchObject({ reason, message: expect.stringContaining(message) });
});

test.each([
  ["WALLET_REFUSED", { code: 5000, message: "User rejected." }],
  ["WALLET_FAILED", undefined],
  ["WALLET_FAILED", null],
  ["WALLET_FAILED", "locked"],
])("%s where the wallet rejects with %j", async (reason, rejection) => {
  const { wallet } = injected({ eth_sendTransaction: () => Promise.reject(rejection) });
  await expect(runSwap(braid, { ...request, wallet }, undefined)).rejects.toMatchObject({ reason });
});

test("a balance is told in smallest units where the quote's graph names no usable token", async () => {
  const graphs = [null, { tokens: [null] }, { tokens: [{ address: NATIVE, decimals: 1e9, symbol: "ETH" }] }];
  for (const route_graph of graphs) {
    const answer = { ...quoted, amount_in: 10n ** 20n, route_graph } as unknown as QuoteAnswer;
    const swap = runSwap({ ...braid, quote: async () => answer }, { ...request, ...injected() }, undefined);
    await expect(swap).rejects.toMatchObject({
      reason: "INSUFFICIENT_BALANCE",
      message: `The wallet holds 1000 smallest units of ${NATIVE}, the swap takes ${10n ** 20n} smallest units of ${NATIVE}.`,
    });
  }
});

test("a wallet of another frame swaps, and its owner's no is one", async () => {
  const { wallet } = injected({
    eth_sendTransaction: () => runInNewContext("Promise.reject({ code: 4001 })"),
  });
  const foreign = runInNewContext("({ request })", wallet);
  await expect(runSwap(braid, { ...request, wallet: foreign }, undefined)).rejects.toMatchObject({
    reason: "WALLET_REFUSED",
  });
});

test("a page without a wallet is told so", async () => {
  for (const wallet of [undefined, null, "0x1"])
    await expect(runSwap(braid, { ...request, wallet: wallet as never }, undefined)).rejects.toMatchObject({
      reason: "WALLET_FAILED",
    });
});

test("a receipt without a block is that of a transaction that is pending", async () => {
  let asked = 0;
  const pending = { transactionHash: "0x1", from: ME, blockNumber: null, gasUsed: "0x1", logs: [] };
  const { wallet } = injected({
    eth_getTransactionReceipt: () => ({
      ...pending,
      status: "0x1",
      blockNumber: asked++ === 0 ? null : "0x10",
    }),
  });
  const { blockNumber } = await runSwap(braid, { ...request, wallet }, undefined);
  expect(blockNumber).toBe(16);
});

describe("a price that moves within the slippage during an approval", () => {
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const calldata = `0xb6b4c488${word(1000n)}${word(880n)}`;
  const agreed = { ...quoted, amount_in: 1000n, value: 0n, calldata };
  const eth_call: Answer = ([call]) => {
    const isAllowance = (call as { data: string }).data.startsWith("0xdd62ed3e");
    return `0x${word(isAllowance ? 0n : 1000n)}`;
  };
  const order = { sell: ME, buy: NATIVE, amount: 5n, approval: "approve" } as const;
  /** A service whose second quote is `later`, and that checks the caller's minimum as the client does. */
  const moving = (later: Partial<QuoteAnswer>): Braid => {
    let asked = 0;
    const quote: Braid["quote"] = async (_terms, { minOut = 0n } = {}) => {
      const answer = { ...agreed, ...(asked++ === 0 ? {} : later) } as unknown as QuoteAnswer;
      if (answer.min_amount_out < minOut) throw new Error("QUOTE_MISMATCH");
      return answer;
    };
    return { ...braid, quote };
  };

  test("is no mismatch: the transaction keeps minOut", async () => {
    const { sent, wallet } = injected({ eth_call });
    const falling = moving({ amount_out_total: 895n, min_amount_out: 880n });
    const result = await runSwap(falling, { ...order, wallet, minOut: 890n }, undefined);
    expect([result.quotedOut, result.minimumOut]).toEqual([895n, 890n]);
    expect(sent.at(-1)?.data).toBe(`0xb6b4c488${word(1000n)}${word(890n)}`);
  });

  test("is refused where it passes maxIn", async () => {
    const { wallet } = injected({ eth_call });
    const buy = { ...order, wallet, side: "BUY" } as const;
    const dearer = { amount_in: 1003n };
    expect((await runSwap(moving(dearer), buy, undefined)).amountIn).toBe(1003n);
    const limited = runSwap(moving(dearer), { ...buy, maxIn: 1002n }, undefined);
    await expect(limited).rejects.toMatchObject({ reason: "PRICE_MOVED" });
  });
});
