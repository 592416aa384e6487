import { encodeApprove } from "../core/encoding/index.ts";
import { BraidError } from "../core/errors.ts";
import { isNative, ZERO_ADDRESS } from "../core/tokens.ts";
import type { Address, Hex } from "../core/types.ts";
import { gasLevels, servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { ServedChain } from "./ports.ts";
import { gasLimit } from "./simulation.ts";
import { refuseZero } from "./tokens.ts";
import { notAToken, readAllowance } from "./wallet.ts";

type ApproveRequest = {
  readonly chainId: number;
  readonly token: Address;
  /** Smallest units; 0 revokes. */
  readonly amount: bigint;
  /** undefined = the medium level of the chain's gas prices. */
  readonly gasPriceWei: bigint | undefined;
  /** The wallet that approves; with it the gas is measured. */
  readonly taker: Address | undefined;
  /** Who may spend; undefined = the router. */
  readonly spender: Address | undefined;
};

type Approval = {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
  readonly warnings: readonly string[];
};

/** No token seen needs more to approve: a proxy in front of a token that logs and writes two fresh slots. */
const APPROVE_GAS = 100_000n;

/**
 * The transaction that lets a contract spend a token.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN, VALIDATION for the native coin, STALE_STATE
 */
export async function approve(deps: Deps, request: ApproveRequest): Promise<Approval> {
  const served = servedChain(deps, request.chainId);
  refuseZero({ field: "tokenAddress", address: request.token });
  if (isNative(request.token)) throw nativeNeedsNone(request.token);
  const gasPriceWei = request.gasPriceWei ?? gasLevels(served).medium.priceWei;
  if (deps.tokens.get(request.chainId, request.token) === undefined)
    await requireToken(served, request.token);
  const data = encodeApprove(request.spender ?? served.router, request.amount);
  return { to: request.token, data, gasPriceWei, ...(await measured(served, request, data)) };
}

function nativeNeedsNone(token: Address): BraidError {
  const reason = "the native coin needs no approval";
  return new BraidError("VALIDATION", `tokenAddress: ${reason}.`, {
    details: [{ field: "tokenAddress", reason, value: token }],
  });
}

async function requireToken(served: ServedChain, token: Address): Promise<void> {
  if ((await readAllowance(served, token, ZERO_ADDRESS)) === undefined) throw notAToken(token);
}

type Measured = Pick<Approval, "gas" | "warnings">;

async function measured(served: ServedChain, request: ApproveRequest, data: Hex): Promise<Measured> {
  const unmeasured = { gas: APPROVE_GAS, warnings: [] };
  if (request.taker === undefined) return unmeasured;
  const transaction = { from: request.taker, to: request.token, data, value: 0n };
  const run = await served.node.simulate(transaction).catch(() => undefined);
  if (run === undefined) return unmeasured;
  if (run.ok) return { gas: gasLimit(run.gasUsed), warnings: [] };
  return { gas: APPROVE_GAS, warnings: [REVERTS] };
}

const REVERTS =
  "This approval reverts when it is run now. Some tokens only change an allowance from or to 0: approve 0 first.";
