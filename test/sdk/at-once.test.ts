import { createWalletClient, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import type { SwapStage } from "../../packages/sdk/src/index.ts";
import { CHAIN, MNEMONIC, useDevnet } from "./devnet.ts";
import { nodeWallet } from "./wallets.ts";

/** Swaps of one key in a program's memory that begin at once, on the service that `npm start` runs. */

const devnet = useDevnet();
const { address, units } = devnet;

/** A wallet of its own for each swap, as where parts of a program know nothing of each other. */
const wallet = () =>
  createWalletClient({
    account: mnemonicToAccount(MNEMONIC, { addressIndex: 5 }),
    transport: http(devnet.rpcUrl),
  });

test.each([
  ["USDC", "eip2612", "auto"],
  ["USDC", "approval", "approve"],
  ["USDT", "approval", "auto"],
] as const)("two swaps of %s are both mined: %s", async (symbol, allowedBy, approval) => {
  const swap = (buy: string, amount: string) =>
    devnet.braid.swap({
      ...{ wallet: wallet(), chainID: CHAIN, approval, sell: address(symbol), buy: address(buy) },
      amount: units(amount, symbol),
    });
  const ends = await Promise.all([swap("DAI", "50"), swap("WETH", "60")]);
  expect(ends.map((end) => end.allowedBy)).toEqual([allowedBy, allowedBy]);
  for (const { amountOut, quotedOut } of ends) expect(amountOut).toBe(quotedOut);
});

test("a swap that waits for its turn ends with its signal, before it is quoted, and the next one takes its turn", async () => {
  const end = new AbortController();
  let confirm = (_is: boolean) => {};
  const confirmed = new Promise<boolean>((resolve) => {
    confirm = resolve;
  });
  const stages: SwapStage["stage"][] = [];
  const sold = { sell: address("USDC"), buy: address("DAI"), amount: units("50", "USDC") };
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const confirmLater = () => {
    begin();
    return confirmed;
  };
  const first = devnet.braid.swap({ ...sold, wallet: wallet(), confirm: confirmLater });
  // Turns are taken in the order in which the wallets' nodes answer.
  await hasBegun;
  const second = devnet.braid.swap({
    ...{ ...sold, wallet: wallet(), signal: end.signal },
    onStep: ({ stage }) => void stages.push(stage),
  });
  const third = devnet.braid.swap({ ...sold, wallet: wallet() });
  setTimeout(() => end.abort(new Error("no more")), 200);
  await expect(second).rejects.toThrow("no more");
  confirm(false);
  await expect(first).rejects.toMatchObject({ reason: "WALLET_REFUSED" });
  expect(await third).toMatchObject({ allowedBy: "eip2612" });
  expect(stages).toEqual([]);
});

test("a wallet whose owner never answers one swap can begin the next one", async () => {
  const asked = nodeWallet(devnet.rpcUrl, 6);
  let isAsked = () => {};
  const waiting = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const silent = {
    request: async (call: { readonly method: string; readonly params?: unknown }) => {
      if (call.method !== "eth_signTypedData_v4") return asked.request(call);
      isAsked();
      return new Promise<never>(() => {});
    },
  };
  const end = new AbortController();
  const sold = { sell: address("USDC"), buy: address("DAI"), amount: units("50", "USDC") };
  const first = devnet.braid.swap({ ...sold, wallet: silent, signal: end.signal });
  first.catch(() => {});
  await waiting;
  const { amountOut, quotedOut } = await devnet.braid.swap({ ...sold, wallet: asked, approval: "approve" });
  expect(amountOut).toBe(quotedOut);
  end.abort(new Error("no more"));
  await expect(first).rejects.toThrow("no more");
});
