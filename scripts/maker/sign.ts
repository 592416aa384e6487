import { randomBytes } from "node:crypto";
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount, maxUint256 } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { PERMIT2_ADDRESS, type RfqOrder, rfqTypedData } from "../../src/core/encoding/index.ts";
import type { Rpc } from "./book.ts";

const DEVNET_MNEMONIC = "test test test test test test test test test test test junk";

/** The devnet's account of that number, and another one that lies for it. */
export const devnetAccount = (index: number): LocalAccount =>
  mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: index });

/** What is wrong with an order on purpose, for tests. */
export type Lie = "worse" | "signature" | "nonce" | "expired";

export type Terms = Omit<RfqOrder, "nonce" | "expiry"> & { readonly leastExpiry: number };

/** An order holds this long beyond what was asked for. */
const VALID_SECONDS = 30;

/** A nonce that was used already, once the first order of this liar is filled. */
const ONE_NONCE = 1n;

export async function signOrder(account: LocalAccount, terms: Terms, lie: Lie | undefined) {
  const { leastExpiry, ...rest } = terms;
  const soonest = Math.max(leastExpiry, Math.floor(Date.now() / 1000) + VALID_SECONDS);
  const order: RfqOrder = {
    ...rest,
    makerAmount: lie === "worse" ? (rest.makerAmount * 99n) / 100n : rest.makerAmount,
    nonce: lie === "nonce" ? ONE_NONCE : BigInt(`0x${randomBytes(32).toString("hex")}`),
    expiry: lie === "expired" ? 1 : soonest + VALID_SECONDS,
  };
  const signer = lie === "signature" ? devnetAccount(0) : account;
  return { order, signature: await signer.signTypedData!(rfqTypedData(order)) };
}

/** Lets Permit2 take the maker's tokens: what an order needs on the chain, once a token. */
export async function approvePermit2(rpc: Rpc, account: LocalAccount, tokens: readonly Hex[]): Promise<void> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [PERMIT2_ADDRESS, maxUint256],
  });
  const chainId = Number(await rpc<Hex>("eth_chainId", []));
  const first = Number(await rpc<Hex>("eth_getTransactionCount", [account.address, "latest"]));
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 100_000n };
  for (const [k, to] of tokens.entries()) {
    const transaction = { to, data, nonce: first + k, chainId, type: "eip1559", ...fees } as const;
    await rpc("eth_sendRawTransaction", [await account.signTransaction!(transaction)]);
  }
}
