import type { Wallet } from "./discovery.ts";

/** The devnet's own account: the service's node signs for it, so it needs no extension and is worth nothing. */
export const TEST_ACCOUNT_ID = "devnet-test-account";

/** The wallet over the devnet's unlocked accounts, of which it shows the first. */
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

/** EIP-1193's answer for what a wallet does not have: this one neither batches calls nor changes its chain. */
function unsupported(method: string): Error {
  return Object.assign(new Error(`The devnet's test account has no ${method}.`), { code: 4200 });
}

function fault(error: { code: number; message: string } | string | undefined): Error {
  if (typeof error === "object") return Object.assign(new Error(error.message), { code: error.code });
  return new Error(error ?? "The devnet's node does not answer.");
}
