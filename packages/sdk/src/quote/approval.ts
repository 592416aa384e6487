import { refuse } from "../error.ts";
import type { ApproveAnswer, ApproveParameters } from "../generated/api.ts";
import { ROUTER } from "../generated/router.ts";
import { sameAddress } from "../hex.ts";
import { encodeApprove } from "./calldata.ts";

const ALL = 2n ** 256n - 1n;

/**
 * Checks an approval against the request: the token that is called, the spender and the amount. The spender of an
 * approval can take the tokens at any later time.
 *
 * @throws BraidError QUOTE_MISMATCH with every difference in `details`
 */
export function checkApproval(asked: ApproveParameters, answer: ApproveAnswer): void {
  const spender = (asked.contractAddress ?? ROUTER).toLowerCase();
  const faults: string[] = [];
  if (!sameAddress(answer.to, asked.tokenAddress)) faults.push("to");
  if (answer.calldata !== encodeApprove(spender, asked.amount ?? ALL)) faults.push("calldata");
  if (answer.reset_calldata !== undefined && answer.reset_calldata !== encodeApprove(spender, 0n))
    faults.push("reset_calldata");
  if (faults.length === 0) return;
  const details = faults.map((field) => ({ field, reason: "is not what was asked for" }));
  throw refuse("QUOTE_MISMATCH", `The approval is not what was asked for: ${faults.join(", ")}.`, {
    details,
  });
}
