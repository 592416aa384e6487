import { randomBytes } from "node:crypto";
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount, maxUint256 } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import {
  type AirSwapOrder,
  airSwapTypedData,
  type RfqOrder,
  rfqTypedData,
} from "../../src/core/encoding/index.ts";
import type { Rpc } from "./book.ts";

const DEVNET_MNEMONIC = "test test test test test test test test test test test junk";

/** The devnet's account of that number, and another one that lies for it. */
export const devnetAccount = (index: number): LocalAccount =>
  mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: index });

/** What is wrong with an order on purpose, for tests. */
export type Lie = "worse" | "signature" | "nonce" | "expired" | "fee";

export type Terms = Omit<RfqOrder, "nonce" | "expiry"> & { readonly leastExpiry: number };

/** An order holds this long beyond what was asked for. */
const VALID_SECONDS = 30;

/** A nonce that was used already, once the first order of this liar is filled. */
const ONE_NONCE = 1n;

export async function signOrder(account: LocalAccount, terms: Terms, lie: Lie | undefined) {
  const { leastExpiry, ...rest } = terms;
  const makerAmount = paid(rest.makerAmount, lie);
  const order: RfqOrder = { ...rest, makerAmount, ...singleUse(leastExpiry, lie) };
  return { order, signature: await signerOf(account, lie).signTypedData!(rfqTypedData(order)) };
}

/** Terms of an order of AirSwap's. */
export type AirSwapTerms = Omit<AirSwapOrder, "nonce" | "expiry"> & { readonly leastExpiry: number };

export async function signAirSwapOrder(account: LocalAccount, terms: AirSwapTerms, lie: Lie | undefined) {
  const { leastExpiry, ...rest } = terms;
  const signerAmount = paid(rest.signerAmount, lie);
  const protocolFee = lie === "fee" ? rest.protocolFee + 1n : rest.protocolFee;
  const order: AirSwapOrder = { ...rest, signerAmount, protocolFee, ...singleUse(leastExpiry, lie) };
  return { order, signature: await signerOf(account, lie).signTypedData!(airSwapTypedData(order)) };
}

const paid = (amount: bigint, lie: Lie | undefined) => (lie === "worse" ? (amount * 99n) / 100n : amount);

const signerOf = (account: LocalAccount, lie: Lie | undefined) =>
  lie === "signature" ? devnetAccount(0) : account;

function singleUse(leastExpiry: number, lie: Lie | undefined) {
  const soonest = Math.max(leastExpiry, Math.floor(Date.now() / 1000) + VALID_SECONDS);
  return {
    nonce: lie === "nonce" ? ONE_NONCE : BigInt(`0x${randomBytes(32).toString("hex")}`),
    expiry: lie === "expired" ? 1 : soonest + VALID_SECONDS,
  };
}

/** Lets Permit2 or AirSwap's contract take the maker's tokens: what an order needs on the chain, once a token. */
export async function approveSpender(
  rpc: Rpc,
  account: LocalAccount,
  spender: Hex,
  tokens: readonly Hex[],
): Promise<void> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [spender, maxUint256],
  });
  const chainId = Number(await rpc<Hex>("eth_chainId", []));
  const first = Number(await rpc<Hex>("eth_getTransactionCount", [account.address, "latest"]));
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 100_000n };
  for (const [k, to] of tokens.entries()) {
    const transaction = { to, data, nonce: first + k, chainId, type: "eip1559", ...fees } as const;
    await rpc("eth_sendRawTransaction", [await account.signTransaction!(transaction)]);
  }
}
