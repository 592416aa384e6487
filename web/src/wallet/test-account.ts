import type { Wallet } from "./discovery.ts";

/** Id of the test wallet. Its account is one of the devnet, so the node signs for it and no extension is needed. */
export const TEST_ACCOUNT_ID = "devnet-test-account";

/** A wallet with the first of the devnet's unlocked accounts, through POST /devnet/rpc of the service. */
export function testAccount(): Wallet {
  return {
    id: TEST_ACCOUNT_ID,
    name: "Devnet test account",
    icon: undefined,
    provider: {
      async request({ method, params = [] }) {
        if (method.startsWith("wallet_")) throw unsupported(method);
        const response = await fetch("/devnet/rpc", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        });
        const answer = (await response.json()) as {
          result?: unknown;
          error?: { code: number; message: string } | string;
        };
        if (!response.ok || answer.error !== undefined) throw fault(answer.error);
        return method === "eth_requestAccounts" || method === "eth_accounts"
          ? (answer.result as string[]).slice(0, 1)
          : answer.result;
      },
    },
  };
}

/** EIP-1193's error for an unsupported method: this wallet neither batches calls nor switches its chain. */
function unsupported(method: string): Error {
  return Object.assign(new Error(`The devnet's test account has no ${method}.`), { code: 4200 });
}

function fault(error: { code: number; message: string } | string | undefined): Error {
  if (typeof error === "object") return Object.assign(new Error(error.message), { code: error.code });
  return new Error(error ?? "The devnet's node does not answer.");
}
