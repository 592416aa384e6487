import { createWalletClient, http } from "viem";
import { expect, test } from "vitest";
import { callsFate } from "../../packages/sdk/src/fate/batch.ts";
import { fateOf } from "../../packages/sdk/src/fate/fate.ts";
import { BraidError, NATIVE } from "../../packages/sdk/src/index.ts";
import { encodeBalanceOf } from "../../packages/sdk/src/quote/calldata.ts";
import { enoughSlippage, revertedError } from "../../packages/sdk/src/swap/undone.ts";
import { type Receipt, received } from "../../packages/sdk/src/wallet/chain.ts";
import { fromViem, type Wallet } from "../../packages/sdk/src/wallet/wallet.ts";

/** What becomes of a transaction that was sent, against nodes that answer as each case needs. */

const ME = "0x1111111111111111111111111111111111111111";
const OTHER = "0x3333333333333333333333333333333333333333";
const TOKEN = "0x2222222222222222222222222222222222222222";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type Answers = Readonly<Record<string, (parameters: readonly unknown[]) => unknown>>;

/** A wallet whose node answers by method, and null to what it is not asked for here. */
function walletOf(answers: Answers): Wallet {
  const rpc = async (method: string, parameters: readonly unknown[]) => answers[method]?.(parameters) ?? null;
  const never = () => Promise.reject(new Error("nothing is signed or sent here"));
  return { address: ME, rpc, send: never, sign: never };
}

const receipt = (logs: readonly { from: string; to: string; amount: bigint }[] = []): Receipt => ({
  transactionHash: "0x1",
  from: ME,
  blockNumber: "0x10",
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0xa",
  logs: logs.map(({ from, to, amount }) => ({
    address: TOKEN,
    topics: [TRANSFER, `0x${from.slice(2).padStart(64, "0")}`, `0x${to.slice(2).padStart(64, "0")}`],
    data: `0x${amount.toString(16).padStart(64, "0")}`,
  })),
});

const following = (answers: Answers) => ({
  wallet: walletOf(answers),
  chainID: 1,
  pollMs: 1,
  patience: 3,
  signals: [new AbortController().signal],
});

/** Answers in turn, the last one for ever. */
function inTurn<T>(...answers: readonly (() => T)[]): () => T {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)]!();
}
const nothing = () => null;
const silence = () => {
  throw new Error("down");
};

test("a transaction is mined, and a node that does not answer is asked again", async () => {
  const mined = { eth_getTransactionReceipt: inTurn<unknown>(nothing, nothing, receipt) };
  expect(await fateOf("0x1", following(mined))).toMatchObject({ kind: "mined", receipt: { from: ME } });
  const silent = Array.from({ length: 9 }, () => silence);
  const late = {
    eth_getTransactionReceipt: inTurn<unknown>(...silent, receipt),
    eth_getTransactionByHash: silence,
  };
  expect((await fateOf("0x1", following(late))).kind).toBe("mined");
});

test("it is replaced where the account used its nonce otherwise, and dropped where the node no longer knows it", async () => {
  const replaced = {
    eth_getTransactionByHash: inTurn<unknown>(() => ({ nonce: "0x4" }), nothing),
    eth_getTransactionCount: () => "0x5",
  };
  expect(await fateOf("0x1", following(replaced))).toEqual({ kind: "replaced" });
  expect(await fateOf("0x1", following({}))).toEqual({ kind: "dropped" });
  const waiting = { ...replaced, eth_getTransactionCount: () => "0x4" };
  expect(await fateOf("0x1", following(waiting)), "its nonce is still free").toEqual({ kind: "dropped" });
});

test("the wait ends with its signal where the node never answers", async () => {
  for (const wait of [fateOf, callsFate]) {
    const end = new AbortController();
    const hang = () => {
      setTimeout(() => end.abort(new Error("enough")));
      return new Promise(() => {});
    };
    const silentNode = { eth_getTransactionReceipt: hang, wallet_getCallsStatus: hang };
    const waiting = wait("0x1", { ...following(silentNode), signals: [end.signal] });
    await expect(waiting).rejects.toThrow("enough");
  }
});

test("one that was mined between two questions is not told as replaced", async () => {
  const answers = {
    eth_getTransactionReceipt: inTurn<unknown>(nothing, nothing, receipt),
    eth_getTransactionByHash: inTurn<unknown>(() => ({ nonce: "0x4" }), nothing),
    eth_getTransactionCount: () => "0x5",
  };
  expect((await fateOf("0x1", following(answers))).kind).toBe("mined");
});

const sent = { nonce: "0x4", to: TOKEN, input: "0x01", value: "0x0" };
const gone = () => inTurn<unknown>(() => sent, nothing);
const block = (...transactions: object[]) => ({
  eth_blockNumber: () => "0x10",
  eth_getBlockByNumber: ([number]: readonly unknown[]) => ({
    transactions: number === "0xf" ? transactions : [],
  }),
});

test("a transaction that the wallet sent again to pay more for gas is mined under its new hash", async () => {
  const answers = {
    ...block({ ...sent, hash: "0x2", from: ME }),
    eth_getTransactionReceipt: ([hash]: readonly unknown[]) =>
      hash === "0x2" ? { ...receipt(), transactionHash: "0x2" } : null,
    eth_getTransactionCount: () => "0x5",
  };
  const faster = { ...answers, eth_getTransactionByHash: gone() };
  expect(await fateOf("0x1", following(faster))).toMatchObject({
    kind: "mined",
    receipt: { transactionHash: "0x2" },
  });
  const cancelled = block({ nonce: "0x4", to: ME, input: "0x", value: "0x0", hash: "0x2", from: ME });
  const other = { ...answers, ...cancelled, eth_getTransactionByHash: gone() };
  expect(await fateOf("0x1", following(other))).toEqual({ kind: "replaced" });
});

test("a mined transaction is not replaced where one of the nodes that answer is behind", async () => {
  const behind = Array.from({ length: 8 }, () => nothing);
  const answers = {
    eth_getTransactionReceipt: inTurn<unknown>(...behind, receipt),
    eth_getTransactionByHash: gone(),
    eth_getTransactionCount: () => "0x5",
  };
  expect((await fateOf("0x1", { ...following(answers), patience: 80 })).kind).toBe("mined");
});

test("a wallet that is on another chain tells nothing of the transaction", async () => {
  const chains = Array.from({ length: 8 }, () => () => "0xa");
  const answers = {
    eth_chainId: inTurn(...chains, () => "0x1"),
    eth_getTransactionReceipt: inTurn<unknown>(...chains.map(() => nothing), receipt),
    eth_getTransactionByHash: gone(),
    eth_getTransactionCount: () => "0x5",
  };
  expect((await fateOf("0x1", following(answers))).kind).toBe("mined");
});

test("the signal ends the waiting", async () => {
  const end = new AbortController();
  const waiting = { ...following({}), patience: 1_000_000, signals: [end.signal] };
  setTimeout(() => end.abort(new Error("enough")), 20);
  await expect(fateOf("0x1", waiting)).rejects.toThrow("enough");
});

test("calls that are sent together are followed to the chain's own receipt, or to the status of their failure", async () => {
  const done = {
    wallet_getCallsStatus: inTurn<unknown>(
      () => ({ status: 100 }),
      silence,
      () => ({ status: 200, receipts: [{ transactionHash: "0x1" }] }),
    ),
    eth_getTransactionReceipt: () => receipt(),
  };
  expect(await callsFate("calls", following(done))).toEqual({ kind: "mined", receipt: receipt() });
  const bundled = {
    ...done,
    wallet_getCallsStatus: () => ({ status: 500, receipts: [{ transactionHash: "0x1" }] }),
  };
  expect(await callsFate("calls", following(bundled)), "the bundler's transaction succeeds").toEqual({
    kind: "failed",
    status: 500,
  });
  const failed = { wallet_getCallsStatus: () => ({ status: 400 }) };
  expect(await callsFate("calls", following(failed))).toEqual({ kind: "failed", status: 400 });
});

test("what arrived is the token's transfers to the account less those from it", async () => {
  const logs = [
    { from: TOKEN, to: ME, amount: 90n },
    { from: ME, to: TOKEN, amount: 20n },
    { from: TOKEN, to: OTHER, amount: 5n },
  ];
  const asked = { token: TOKEN, account: ME, least: 70n };
  expect(await received(walletOf({}), receipt(logs), asked)).toBe(70n);
});

test("a token that logs less than the minimum is asked for the balances of the block and of the one before", async () => {
  const eth_call = ([call, block]: readonly unknown[]) => {
    expect(call).toEqual({ to: TOKEN, data: encodeBalanceOf(ME) });
    return `0x${(block === "0xf" ? 100 : 175).toString(16).padStart(64, "0")}`;
  };
  const asked = { token: TOKEN, account: ME, least: 1n };
  expect(await received(walletOf({ eth_call }), receipt(), asked)).toBe(75n);
});

test("of the native coin it is the change of the balance with the gas added back; a node that forgot is a failure", async () => {
  const eth_getBalance = ([, block]: readonly unknown[]) => (block === "0xf" ? "0xf4240" : "0xf4241");
  const asked = { token: NATIVE, account: ME, least: 1n };
  expect(await received(walletOf({ eth_getBalance }), receipt(), asked)).toBe(1n + 210_000n);
  const sentByOther = { ...receipt(), from: OTHER } as const;
  expect(await received(walletOf({ eth_getBalance }), sentByOther, asked)).toBe(1n);
  await expect(received(walletOf({ eth_getBalance: silence }), receipt(), asked)).rejects.toThrow("down");
});

test("the slippage that would have done is named where the price is worse, with room to spare", () => {
  expect(enoughSlippage(1000n, 980n)).toBe(2.3);
  expect(enoughSlippage(1000n, 1n)).toBe(50);
  expect(enoughSlippage(1000n, 1000n)).toBeUndefined();
  expect(enoughSlippage(1000n, undefined)).toBeUndefined();
});

test("a transaction that was undone for another reason than its minimum says the reason of the node, and no slippage", async () => {
  const eth_call = () => {
    throw new BraidError("WALLET_FAILED", "The wallet failed: x", {
      cause: new Error("execution reverted: deadline passed"),
    });
  };
  const one = { wallet: walletOf({ eth_call }), receipt: { ...receipt(), status: "0x0" } as const };
  const sent = { to: TOKEN, data: "0x", value: 0n } as const;
  expect(await revertedError({ ...one, sent, quotedOut: 5n })).toMatchObject({
    reason: "REVERTED",
    message: "The transaction 0x1 reverted: execution reverted: deadline passed.",
    details: [{ field: "transaction", value: "0x1" }],
  });
  expect(await revertedError(one)).toMatchObject({
    message: "The transaction 0x1 reverted.",
  });
});

test("what a node says of a revert is read also where viem wraps it, and one that is behind is asked again", async () => {
  const said = ["header not found", "BlockOutOfRangeError: block height is 15", "execution reverted: paused"];
  const fetchFn = async () =>
    Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: said.shift() } });
  const transport = http("http://node.test", { fetchFn, retryCount: 0 });
  const wallet = fromViem(createWalletClient({ account: ME, transport }));
  const sent = { to: TOKEN, data: "0x", value: 0n } as const;
  const undone = { wallet, receipt: { ...receipt(), status: "0x0" } as const, sent, quotedOut: 5n };
  expect(await revertedError(undone)).toMatchObject({
    message: "The transaction 0x1 reverted: execution reverted: paused.",
  });
});
