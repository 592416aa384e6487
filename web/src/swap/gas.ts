import { type Transaction, type Wallet, within } from "../../../packages/sdk/src/wallet/wallet.ts";

/** Longest wait for an estimate. */
const ESTIMATE_MS = 10_000;

/**
 * The gas limit of a swap: a fourth more than its estimate on the wallet's node, rounded down. A state that changes before
 * the swap is mined may make it dearer, and not every wallet leaves room for that: a swap that runs out of gas is paid for.
 *
 * @returns undefined where the node does not estimate it: the wallet does, and says what reverts
 */
export async function gasLimit(
  wallet: Wallet,
  { to, data, value }: Omit<Transaction, "gas">,
): Promise<bigint | undefined> {
  const call = { from: wallet.address, to, data, value: `0x${value.toString(16)}` };
  const ask = () => wallet.rpc("eth_estimateGas", [call]);
  const found = await within(ESTIMATE_MS, "eth_estimateGas", ask).catch(() => undefined);
  const isQuantity = typeof found === "string" && /^0x[0-9a-f]+$/i.test(found);
  return isQuantity ? (BigInt(found) * 5n) / 4n : undefined;
}
