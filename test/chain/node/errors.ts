/** The error object of a JSON-RPC answer. */
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

export function fail(code: number, message: string, data?: unknown): never {
  throw { code, message, ...(data === undefined ? {} : { data }) } satisfies RpcError;
}
