import { ROUTER } from "../../packages/sdk/src/generated/router.ts";
import { decodeSwap, withMinimum } from "../../packages/sdk/src/quote/calldata.ts";

/** What a test does on the devnet between a signature and its block. */

export type SentSwap = { readonly to: string; readonly data: string; readonly value: string };
type Rpc = <T = string>(method: string, ...parameters: unknown[]) => Promise<T>;

const GAS = "0x2dc6c0";
const hex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`;
const word = (value: bigint) => value.toString(16).padStart(64, "0");

export function rpcAt(url: string): Rpc {
  return async <T>(method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Waits for the receipt of a transaction that must have succeeded. */
export async function minedOk(rpc: Rpc, hash: string): Promise<void> {
  for (;;) {
    const receipt = await rpc<{ status: string } | null>("eth_getTransactionReceipt", hash);
    if (receipt?.status === "0x0") throw new Error(`${hash} reverted`);
    if (receipt !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

type Approval = {
  /** An unlocked account of the devnet. */
  readonly owner: string;
  readonly token: string;
  readonly spender: string;
  /** In the token's smallest units. */
  readonly amount: bigint;
};

export async function approve(url: string, { owner, token, spender, amount }: Approval): Promise<void> {
  const rpc = rpcAt(url);
  const data = `0x095ea7b3${word(BigInt(spender))}${word(amount)}`;
  await minedOk(rpc, await rpc("eth_sendTransaction", { from: owner, to: token, data, gas: GAS }));
}

/** What the router may take of an account's tokens, in smallest units. */
export async function allowanceOf(url: string, owner: string, token: string): Promise<bigint> {
  const data = `0xdd62ed3e${word(BigInt(owner))}${word(BigInt(ROUTER))}`;
  return BigInt(await rpcAt(url)("eth_call", { to: token, data }, "latest"));
}

/** Whether a swap of coins would go through on the newest state, with this minimum instead of its own. */
export async function passes(rpc: Rpc, from: string, swap: SentSwap, minimum?: bigint): Promise<boolean> {
  const data = minimum === undefined ? swap.data : withMinimum(swap.data as `0x${string}`, minimum);
  return rpc("eth_call", { from, ...swap, data, gas: GAS }, "latest").then(
    () => true,
    () => false,
  );
}

/**
 * Sells coins through the very pools of a swap, along its own route and twice as many each time, until the swap misses
 * its minimum: no other pool can take their place.
 *
 * @param taker who sends the swap
 * @param trader an unlocked account of the devnet that sells
 */
export async function spoil(
  url: string,
  swap: SentSwap,
  { taker, trader }: { readonly taker: string; readonly trader: string },
): Promise<void> {
  const rpc = rpcAt(url);
  const route = withMinimum(swap.data as `0x${string}`, 1n);
  const [selector, rest] = [route.slice(0, 10), route.slice(10 + 3 * 64)];
  for (let amount = decodeSwap(swap.data)!.amountIn * 8n; await passes(rpc, taker, swap); amount *= 2n) {
    // The same terms with another amount, paid to whoever sends it.
    const data = `${selector}${word(amount)}${word(1n)}${word(0n)}${rest}`;
    const sale = { from: trader, to: swap.to, data, value: hex(amount), gas: GAS };
    await minedOk(rpc, await rpc("eth_sendTransaction", sale));
  }
}

/** Runs `work` while no block is mined. */
export async function whileHeld<T>(url: string, work: () => Promise<T>): Promise<T> {
  const rpc = rpcAt(url);
  await rpc("evm_setIntervalMining", 0);
  try {
    return await work();
  } finally {
    await rpc("evm_setIntervalMining", 1);
  }
}

/** Sends another transaction of the same account with the nonce of one that waits, and a fee that replaces it. */
export async function replace(url: string, hash: string): Promise<void> {
  const rpc = rpcAt(url);
  const { from, nonce } = await rpc<{ from: string; nonce: string }>("eth_getTransactionByHash", hash);
  const fee = hex(10n ** 12n);
  await rpc("eth_sendTransaction", { from, to: from, nonce, maxFeePerGas: fee, maxPriorityFeePerGas: fee });
}
