import { encodeAllowance, FORMER_ROUTERS } from "../core/encoding/index.ts";
import { isNative } from "../core/tokens.ts";
import type { Address } from "../core/types.ts";
import { servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { ServedChain } from "./ports/ports.ts";
import { requireRouter } from "./router.ts";
import { refuseZero } from "./tokens.ts";
import { firstWord, notAToken, readAllowance } from "./wallet.ts";

type AllowanceRequest = {
  readonly chainId: number;
  readonly token: Address;
  readonly wallet: Address;
};

export type Allowance = {
  /** Smallest units; 2^256 - 1 for the native coin. */
  readonly remaining: bigint;
  /** One sentence for each former router that still has an allowance. */
  readonly warnings: readonly string[];
};

/**
 * A wallet's allowance of a token for the router, in smallest units, with warnings for allowances of former routers.
 * The token need not be in a list.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN, STALE_STATE, ROUTER_UNAVAILABLE
 */
export async function allowance(deps: Deps, request: AllowanceRequest): Promise<Allowance> {
  const served = servedChain(deps, request.chainId);
  refuseZero({ field: "tokenAddress", address: request.token });
  requireRouter(served);
  const [remaining, ...warnings] = await Promise.all([
    readAllowance(served, request.token, request.wallet),
    ...FORMER_ROUTERS.map((router) => leftTo(served, router, request)),
  ]);
  if (remaining === undefined) throw notAToken(request.token);
  return { remaining, warnings: warnings.filter((warning) => warning !== undefined) };
}

async function leftTo(
  served: ServedChain,
  router: Address,
  { token, wallet }: AllowanceRequest,
): Promise<string | undefined> {
  if (isNative(token)) return undefined;
  const left = firstWord(await served.node.call(token, encodeAllowance(wallet, router)));
  return left === undefined || left === 0n
    ? undefined
    : `The former router ${router} may still spend ${left} of this token, and no quote uses it any more: approve 0 for it.`;
}
