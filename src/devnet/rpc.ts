/** One JSON-RPC call. */
type RpcCall = { readonly method: string; readonly params?: readonly unknown[] };

/** JSON-RPC client of the devnet for its own node. It does not retry, and throws on every error. */
export type Rpc = {
  call<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Sends many calls in one request. Results are in the order of the calls, but the node may run them in any order. */
  batch<T = unknown>(calls: readonly RpcCall[]): Promise<T[]>;
};

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } };

/** @throws (from its methods) Error naming the method and the node's message, or the failed connection */
export function createRpc(url: string): Rpc {
  const batch = async <T>(calls: readonly RpcCall[]): Promise<T[]> => {
    if (calls.length === 0) return [];
    const body = calls.map(({ method, params = [] }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`The devnet's node answered ${response.status} ${await response.text()}`);

    const answers = (await response.json()) as Answer[];
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => {
      const answer = byId.get(id);
      if (answer === undefined || answer.error !== undefined) {
        throw new Error(`${method}: ${answer?.error?.message ?? "no answer"}`);
      }
      return answer.result as T;
    });
  };

  return {
    batch,
    call: async <T>(method: string, params: readonly unknown[] = []) =>
      (await batch<T>([{ method, params }]))[0] as T,
  };
}

/** A number in the hexadecimal quantity encoding of JSON-RPC. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
