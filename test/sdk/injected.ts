import { type Braid, type QuoteAnswer, ROUTER } from "../../packages/sdk/src/index.ts";

/** An injected wallet and a service without a chain, for tests of what a swap asks of a wallet. */

export const ME = "0x1111111111111111111111111111111111111111";

export type Answer = (parameters: readonly unknown[]) => unknown;

/** An injected wallet on chain 1 that mines at once; `answers` replace its own. */
export function injected(answers: Readonly<Record<string, Answer>> = {}) {
  const sent: Record<string, unknown>[] = [];
  const receipt = {
    transactionHash: "0x1",
    from: ME,
    blockNumber: "0x10",
    status: "0x1",
    gasUsed: "0x1",
    logs: [],
  };
  const own: Readonly<Record<string, Answer>> = {
    eth_requestAccounts: () => [ME],
    eth_chainId: () => "0x1",
    eth_getBlockByNumber: () => ({ timestamp: "0x100" }),
    eth_getBalance: ([, block]) => (block === "0xf" ? "0x64" : "0x3e8"),
    eth_sendTransaction: ([transaction]) => {
      sent.push(transaction as Record<string, unknown>);
      return "0x1";
    },
    eth_getTransactionReceipt: () => receipt,
  };
  const request = async ({ method, params = [] }: { method: string; params?: unknown }) =>
    (answers[method] ?? own[method])?.(params as readonly unknown[]) ?? null;
  return { sent, wallet: { request } };
}

/** A service whose quotes are these, checked by nobody. */
export const quoted = {
  amount_in: 5n,
  amount_out_total: 900n,
  min_amount_out: 890n,
  value: 5n,
  calldata: "0x01",
  to: ROUTER,
};
export const braid = {
  quote: async () => quoted as unknown as QuoteAnswer,
  sawBlock: () => undefined,
} as unknown as Braid;
