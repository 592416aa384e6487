import type { Address } from "../core/types.ts";
import { servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import { refuseZero } from "./tokens.ts";
import { notAToken, readAllowance } from "./wallet.ts";

type AllowanceRequest = {
  readonly chainId: number;
  readonly token: Address;
  readonly wallet: Address;
};

/**
 * How much of a token, in smallest units, the router may spend of a wallet; 2^256 - 1 for the native coin. Tokens that
 * are in no list are read all the same.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN, STALE_STATE
 */
export async function allowance(deps: Deps, request: AllowanceRequest): Promise<bigint> {
  const served = servedChain(deps, request.chainId);
  refuseZero({ field: "tokenAddress", address: request.token });
  const remaining = await readAllowance(served, request.token, request.wallet);
  if (remaining === undefined) throw notAToken(request.token);
  return remaining;
}
