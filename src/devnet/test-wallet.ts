type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** Timeout of a request. The accounts are unlocked, so no request waits for a user. */
const DEADLINE_MS = 10_000;

/**
 * Creates a wallet of the unlocked accounts of the devnet's node. Results and errors of the node are returned
 * unchanged.
 *
 * @param url JSON-RPC URL of the devnet's node
 */
export function createTestWallet(chainId: number, url: string) {
  return {
    chainId,
    rpcUrl: url,
    async request(method: string, params: readonly unknown[]): Promise<Answer> {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const { result, error } = (await response.json()) as Answer;
      return error === undefined ? { result: result ?? null } : { error };
    },
  };
}
