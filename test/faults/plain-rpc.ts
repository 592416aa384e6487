/** Plain JSON-RPC to a node, as a test sends it. @throws Error with the node's message */
export function createRpcTo(url: string): <T>(method: string, ...params: unknown[]) => Promise<T> {
  return async <T>(method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}
