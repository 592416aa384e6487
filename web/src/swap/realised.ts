import { NATIVE } from "../api.ts";
import { type Provider, quantity } from "../wallet/provider.ts";
import type { Receipt } from "./transactions.ts";

/** What a mined swap paid, read from the chain by the wallet's own node: nobody has to be believed. */

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type Mined = {
  readonly provider: Provider;
  readonly account: string;
  readonly receipt: Receipt;
  readonly tokenOut: string;
  /** Wei that the swap sent along. */
  readonly value: bigint;
};

/**
 * The amount of the token bought that reached the account, in smallest units.
 *
 * @returns undefined where the wallet's node cannot say: it keeps no balances of past blocks
 */
export async function realisedAmount(mined: Mined): Promise<bigint | undefined> {
  return mined.tokenOut.toLowerCase() === NATIVE ? nativeGain(mined) : transferred(mined);
}

/** Transfers of the token to the account, less those from it. */
function transferred({ receipt, tokenOut, account }: Mined): bigint {
  let sum = 0n;
  for (const { address, topics, data } of receipt.logs) {
    if (address.toLowerCase() !== tokenOut.toLowerCase() || topics[0] !== TRANSFER) continue;
    if (ends(topics[2], account)) sum += BigInt(data);
    if (ends(topics[1], account)) sum -= BigInt(data);
  }
  return sum;
}

function ends(topic: string | undefined, account: string): boolean {
  return topic?.toLowerCase().endsWith(account.slice(2).toLowerCase()) === true;
}

/** The change of the balance over the block, with the gas and what was sent added back. */
async function nativeGain({ provider, account, receipt, value }: Mined): Promise<bigint | undefined> {
  const block = BigInt(receipt.blockNumber);
  const at = (number: bigint) =>
    provider.request({ method: "eth_getBalance", params: [account, quantity(number)] }) as Promise<string>;
  try {
    const [before, after] = await Promise.all([at(block - 1n), at(block)]);
    const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? "0");
    return BigInt(after) - BigInt(before) + gas + value;
  } catch {
    return undefined;
  }
}
