import type { Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { fateOf } from "../../packages/sdk/src/fate/fate.ts";
import {
  type BraidError,
  type Eip1193Provider,
  NATIVE,
  type SwapStage,
} from "../../packages/sdk/src/index.ts";
import { withMinimum } from "../../packages/sdk/src/quote/calldata.ts";
import { fromProvider } from "../../packages/sdk/src/wallet/wallet.ts";
import { passes, replace, rpcAt, type SentSwap, spoil, whileHeld } from "../support/chain-moves.ts";
import { CHAIN, MNEMONIC, useDevnet } from "./devnet.ts";
import { batchingWallet, nodeWallet } from "./wallets.ts";

/** Swaps that were sent and did not happen, on the devnet: undone, replaced, dropped. */

const devnet = useDevnet();
const TAKER = 7;
const [taker, trader] = [TAKER, TAKER + 1].map((addressIndex) =>
  mnemonicToAccount(MNEMONIC, { addressIndex }).address.toLowerCase(),
) as [Hex, Hex];

const order = () => ({ sell: NATIVE, buy: devnet.address("USDC"), amount: 10n ** 18n, slippagePercent: 0.5 });

/** A wallet behind whose confirmation something happens before the transaction is sent. */
function delayed(
  wallet: Eip1193Provider,
  method: string,
  before: (parameters: never) => Promise<unknown>,
): Eip1193Provider {
  return {
    request: async (call) => {
      if (call.method === method) await before((call.params as readonly never[])[0]!);
      return wallet.request(call);
    },
  };
}

async function failureOf(swap: Promise<unknown>): Promise<BraidError> {
  const error = await swap.catch((each: unknown) => each);
  expect(error).toMatchObject({ name: "BraidError" });
  return error as BraidError;
}

/** The failure must name a slippage with which the very transaction goes through, and not one far above it. */
async function expectRemedy(error: BraidError, swap: SentSwap): Promise<void> {
  expect(error).toMatchObject({
    reason: "REVERTED",
    message: expect.stringMatching(
      /reverted: min return not reached\. The price moved by more than the slippage; nothing was swapped\. It would have paid \d+ of the \d+ quoted; at least \d+ was asked for\. A slippage of [\d.]+ % would have done\.$/,
    ),
    details: [{ field: "transaction" }, { field: "slippage", reason: "min return not reached" }],
  });
  const { would_have_paid, enough_percent, value } = error.details[1]!;
  const quoted = BigInt(/of the (\d+) quoted/.exec(error.message)![1]!);
  const rpc = rpcAt(devnet.rpcUrl);
  const at = (percent: number) => (quoted * BigInt(Math.round(1e6 - percent * 1e4))) / 1_000_000n;
  expect(at(0.5), "the minimum that was signed").toBe(BigInt(value!));
  expect(await passes(rpc, taker, swap)).toBe(false);
  expect(await passes(rpc, taker, swap, at(Number(enough_percent)))).toBe(true);
  expect(await passes(rpc, taker, swap, BigInt(would_have_paid!))).toBe(true);
  expect(await passes(rpc, taker, swap, BigInt(would_have_paid!) + 1n)).toBe(false);
}

test("a swap in whose pools another trader sells first is undone, and the slippage that would have done is named", async () => {
  let swap: SentSwap | undefined;
  const wallet = delayed(nodeWallet(devnet.rpcUrl, TAKER), "eth_sendTransaction", (sent: SentSwap) => {
    swap = sent;
    return spoil(devnet.rpcUrl, sent, { taker, trader });
  });
  const error = await failureOf(devnet.braid.swap({ ...order(), wallet }));
  await expectRemedy(error, swap!);
  const percent = Number(error.details[1]!.enough_percent);
  const again = await devnet.braid.swap({
    ...order(),
    wallet: nodeWallet(devnet.rpcUrl, TAKER),
    slippagePercent: percent,
  });
  expect(again.amountOut).toBe(again.quotedOut);
});

test("calls that a wallet sends together and that are undone are told as reverted", async () => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: TAKER });
  const usdc = devnet.address("USDC");
  // Coins buy the token that is then sold; both ways lead through the same market.
  await devnet.braid.swap({ ...order(), wallet: nodeWallet(devnet.rpcUrl, TAKER) });
  type Batch = { readonly calls: readonly SentSwap[] };
  let calls: readonly SentSwap[] = [];
  const unfillable = delayed(
    batchingWallet(devnet.rpcUrl, account),
    "wallet_sendCalls",
    async (batch: Batch) => {
      calls = batch.calls;
      const last = calls.at(-1)! as { data: string };
      // What the market would do by moving: the minimum is out of reach.
      last.data = withMinimum(last.data as Hex, 10n ** 30n);
    },
  );
  const sale = { sell: usdc, buy: NATIVE, amount: devnet.units("50", "USDC"), wallet: unfillable };
  const error = await failureOf(devnet.braid.swap(sale));
  expect(calls.length).toBe(2);
  expect(error).toMatchObject({ reason: "REVERTED", details: [{ field: "transaction" }] });
});

/** A swap whose transaction waits to be mined while `meddle` is done with it. */
async function whilePending(meddle: (hash: Hex) => Promise<unknown>): Promise<unknown> {
  return whileHeld(devnet.rpcUrl, async () => {
    let known: (hash: Hex) => void = () => {};
    const asked = new Promise<Hex>((resolve) => {
      known = resolve;
    });
    const node = nodeWallet(devnet.rpcUrl, TAKER);
    const wallet: Eip1193Provider = {
      request: async (call) => {
        const answer = await node.request(call);
        if (call.method === "eth_getTransactionByHash" && answer !== null) known((call.params as [Hex])[0]);
        return answer;
      },
    };
    const stages: SwapStage["stage"][] = [];
    const swap = devnet.braid.swap({ ...order(), wallet, onStep: ({ stage }) => stages.push(stage) });
    const ended = swap.catch((error: unknown) => error);
    await meddle(await asked);
    expect(stages.at(-1)).toBe("sent");
    return ended;
  });
}

test("one in whose place the wallet sends another transaction is told as replaced", async () => {
  const meddle = async (hash: Hex) => {
    await replace(devnet.rpcUrl, hash);
    await devnet.rpc("evm_mine");
  };
  expect(await whilePending(meddle)).toMatchObject({
    reason: "REPLACED",
    message: expect.stringMatching(
      /^Another transaction of the wallet was mined in the place of the transaction 0x/,
    ),
    details: [
      { field: "transaction", reason: "was replaced", value: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ],
  });
});

test("a transaction that the node forgets is dropped; one that waits is not", async () => {
  await whileHeld(devnet.rpcUrl, async () => {
    const wallet = await fromProvider(nodeWallet(devnet.rpcUrl, TAKER));
    const hash = await wallet.send({ to: trader, data: "0x", value: 1n, gas: 21_000n });
    const following = { wallet, chainID: CHAIN, pollMs: 10, patience: 3 };
    const soon = { ...following, signals: [AbortSignal.timeout(1_000)] };
    await expect(fateOf(hash, soon)).rejects.toMatchObject({ name: "TimeoutError" });
    await devnet.rpc("anvil_dropTransaction", [hash]);
    expect(await fateOf(hash, { ...following, signals: [] })).toEqual({ kind: "dropped" });
  });
});

test("calls that the wallet never sends are told as dropped", async () => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: 9 });
  const wallet = batchingWallet(devnet.rpcUrl, account);
  const losing: Eip1193Provider = {
    request: (call) =>
      call.method === "wallet_getCallsStatus" ? Promise.resolve({ status: 400 }) : wallet.request(call),
  };
  const sale = { sell: devnet.address("DAI"), buy: NATIVE, amount: devnet.units("5", "DAI"), wallet: losing };
  expect(await failureOf(devnet.braid.swap(sale))).toMatchObject({ reason: "DROPPED" });
});

test("a signature that the owner refuses ends the swap, and nothing was sent", async () => {
  const asked: string[] = [];
  const wallet = delayed(nodeWallet(devnet.rpcUrl, 9), "eth_signTypedData_v4", () =>
    Promise.reject(Object.assign(new Error("User rejected"), { code: 4001 })),
  );
  const listening: Eip1193Provider = {
    request: (call) => {
      asked.push(call.method);
      return wallet.request(call);
    },
  };
  const sale = { sell: devnet.address("USDC"), buy: NATIVE, amount: devnet.units("5", "USDC") };
  const error = await failureOf(devnet.braid.swap({ ...sale, wallet: listening }));
  expect(error.reason).toBe("WALLET_REFUSED");
  expect(asked).toContain("eth_signTypedData_v4");
  expect(asked).not.toContain("eth_sendTransaction");
});
