import { encodeAllowance, encodeApprove, PERMIT2_ADDRESS } from "../core/encoding/index.ts";
import { BraidError } from "../core/errors.ts";
import { isNative, MAX_UINT256, ZERO_ADDRESS } from "../core/tokens.ts";
import type { Address, Hex } from "../core/types.ts";
import { gasLevels, servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { ServedChain } from "./ports/ports.ts";
import { type Call, gasLimit } from "./quoting/simulation.ts";
import { requireRouter } from "./router.ts";
import { refuseZero } from "./tokens.ts";
import { firstWord, notAToken, readAllowance } from "./wallet.ts";

type ApproveRequest = {
  readonly chainId: number;
  readonly token: Address;
  /** Smallest units; 0 revokes. */
  readonly amount: bigint;
  /** undefined = the medium level of the chain's gas prices. */
  readonly gasPriceWei: bigint | undefined;
  /** The wallet that approves; where it is given, the gas is measured. */
  readonly taker: Address | undefined;
  /** The spender; undefined = the router. */
  readonly spender: Address | undefined;
};

type Approval = {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
  /** The call to send first where the token only changes an allowance from or to 0, and one is set. */
  readonly reset: Call | undefined;
  readonly warnings: readonly string[];
};

/**
 * Upper bound for known tokens, in gas units: a proxy in front of a token that logs and writes two new storage slots.
 */
const APPROVE_GAS = 100_000n;

/**
 * The transaction that approves a spender for a token.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN, VALIDATION for the native coin, STALE_STATE, ROUTER_UNAVAILABLE
 */
export async function approve(deps: Deps, request: ApproveRequest): Promise<Approval> {
  const served = servedChain(deps, request.chainId);
  refuseZero({ field: "tokenAddress", address: request.token });
  if (isNative(request.token)) throw nativeNeedsNone(request.token);
  const spender = request.spender ?? served.router;
  if (spender === served.router) requireRouter(served);
  const gasPriceWei = request.gasPriceWei ?? gasLevels(served).medium.priceWei;
  if (deps.tokens.get(request.chainId, request.token) === undefined)
    await requireToken(served, request.token);
  const data = encodeApprove(spender, request.amount);
  const { gas, reset, warnings } = await measured(served, { ...request, spender }, data);
  const unlimited = request.amount === MAX_UINT256 ? [UNLIMITED] : [];
  const all = [...strangerWarning(spender, request.amount, served.router), ...unlimited, ...warnings];
  return { to: request.token, data, gasPriceWei, gas, reset, warnings: all };
}

/** A warning for spenders that no quote needs: anyone but the router and Permit2. A spender can take the tokens. */
function strangerWarning(spender: Address, amount: bigint, router: Address): string[] {
  if (amount === 0n || spender === router || spender === PERMIT2_ADDRESS) return [];
  return [
    `This lets ${spender} take the tokens, and no quote of this service needs that: it is neither the router ${router} nor Permit2.`,
  ];
}

const UNLIMITED =
  "This allows all of the token, now and later. The amount that is about to be sold is enough: amount=… asks for it.";

function nativeNeedsNone(token: Address): BraidError {
  const reason = "the native coin needs no approval";
  return new BraidError("VALIDATION", `tokenAddress: ${reason}.`, {
    details: [{ field: "tokenAddress", reason, value: token }],
  });
}

async function requireToken(served: ServedChain, token: Address): Promise<void> {
  if ((await readAllowance(served, token, ZERO_ADDRESS)) === undefined) throw notAToken(token);
}

type Measured = Pick<Approval, "gas" | "reset" | "warnings">;
type Measuring = ApproveRequest & { readonly spender: Address };

async function measured(served: ServedChain, request: Measuring, data: Hex): Promise<Measured> {
  const unmeasured = { gas: APPROVE_GAS, reset: undefined, warnings: [] };
  if (request.taker === undefined) return unmeasured;
  const transaction = { from: request.taker, to: request.token, data, value: 0n };
  const run = await served.node.simulate(transaction).catch(() => undefined);
  if (run === undefined) return unmeasured;
  if (run.ok) return { gas: gasLimit(run.gasUsed), reset: undefined, warnings: [] };
  const reset = await resetOf(served, request, request.taker);
  return { gas: APPROVE_GAS, reset, warnings: [reset === undefined ? REVERTS : RESET_FIRST] };
}

/**
 * The call that resets the allowance to 0, where one is set and the reset succeeds in a simulation; otherwise
 * undefined.
 */
async function resetOf(
  served: ServedChain,
  { token, spender, amount }: Measuring,
  taker: Address,
): Promise<Call | undefined> {
  if (amount === 0n) return undefined;
  const call = { to: token, data: encodeApprove(spender, 0n), value: 0n };
  const [allowed, run] = await Promise.all([
    served.node.call(token, encodeAllowance(taker, spender)).then(firstWord),
    served.node.simulate({ from: taker, ...call }),
  ]).catch(() => []);
  return run?.ok === true && allowed !== undefined && allowed > 0n ? call : undefined;
}

const RESET_FIRST =
  "This token only changes an allowance from or to 0, and there is one: send reset_calldata first (approve 0 first).";
const REVERTS = "This approval reverts when it is run now.";
