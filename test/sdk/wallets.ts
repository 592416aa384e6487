import type { Hex, LocalAccount } from "viem";
import type { Eip1193Provider } from "../../packages/sdk/src/index.ts";

/** Wallets as a browser injects them, made of the devnet's node, which keeps the keys of its test accounts. */

export function rpcOf(url: string) {
  return async <T>(method: string, params: unknown = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { result, error } = (await response.json()) as {
      result: T;
      error?: { message: string; code: number };
    };
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  };
}

/** @param index of the devnet's account that the wallet holds */
export function nodeWallet(url: string, index: number): Eip1193Provider {
  const rpc = rpcOf(url);
  return {
    request: async ({ method, params }) => {
      if (method !== "eth_requestAccounts") return rpc(method, params);
      const accounts = await rpc<Hex[]>("eth_accounts");
      return [accounts[index]];
    },
  };
}

type Calls = {
  readonly calls: readonly { to: Hex; data: Hex; value: Hex }[];
  readonly atomicRequired: boolean;
};

/** A wallet that knows EIP-5792: its calls are sent into one block, in their order. */
export function batchingWallet(url: string, { address }: LocalAccount): Eip1193Provider {
  const rpc = rpcOf(url);
  const sent = new Map<string, readonly Hex[]>();
  const sendCalls = async ({ calls, atomicRequired }: Calls) => {
    if (!atomicRequired) throw new Error("asked to send calls that may happen in part");
    const hashes: Hex[] = [];
    for (const { to, data, value } of calls)
      hashes.push(
        await rpc<Hex>("eth_sendTransaction", [{ from: address, to, data, value, gas: "0x1e8480" }]),
      );
    const id = `calls-${sent.size}`;
    sent.set(id, hashes);
    return { id };
  };
  const status = async (id: string) => {
    const hashes = sent.get(id) ?? [];
    const receipts = await Promise.all(hashes.map((hash) => rpc("eth_getTransactionReceipt", [hash])));
    return receipts.includes(null) ? { status: 100 } : { status: 200, receipts };
  };
  return {
    request: async ({ method, params = [] }) => {
      const [first, chains] = params as [never, readonly Hex[] | undefined];
      if (method === "eth_requestAccounts") return [address];
      if (method === "wallet_getCapabilities") return { [chains![0]!]: { atomic: { status: "supported" } } };
      if (method === "wallet_sendCalls") return sendCalls(first);
      if (method === "wallet_getCallsStatus") return status(first);
      return rpc(method, params);
    },
  };
}
