type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** A wallet waits for its user; the devnet's node answers at once or not at all. */
const DEADLINE_MS = 10_000;

/**
 * The unlocked accounts of the devnet's node as a wallet: what the node answers is handed on as it is.
 *
 * @param url JSON-RPC address of the devnet's node
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
