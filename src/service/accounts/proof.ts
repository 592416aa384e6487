import { decodeRevert } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ProofMethod } from "../ports/ports.ts";
import type { Quote, QuoteRequest } from "../quoting/quote.ts";
import { firstWord } from "../wallet.ts";

/** Result of running the quote's calldata on the block that it was quoted in. */
export type Proof = {
  /** "exact": it paid the offered amount to the smallest unit. */
  readonly status: "exact" | "differs" | "reverted";
  /** What the recipient received, in smallest units; undefined where it reverted. */
  readonly amountOut: bigint | undefined;
  /** Gas units; undefined where the method does not report them. */
  readonly gasUsed: bigint | undefined;
  readonly block: Head;
  readonly method: ProofMethod;
  /** Whether it ran with the wallet's own balance and allowance, or with overridden ones. */
  readonly funds: "wallet" | "overridden";
  /** Why it reverted, in words. */
  readonly reason: string | undefined;
  /** The data of the revert; undefined where it did not revert. */
  readonly reverted?: Hex;
};

/** Why a quote's calldata was not run on its block. */
export type Unproved = { readonly status: "none"; readonly reason: string };

const unproved = (reason: string): Unproved => ({ status: "none", reason });
const NO_NODE = unproved("no node answered in time");
const OTHER_BLOCK = unproved("the node ran it on another block than the offer's");
const NO_WAY = unproved(
  "no node could run it: balance and allowance of the token cannot be overridden there, and no wallet that has them is named",
);

/** The sender where no wallet is named; an account that nobody owns. */
export const STAND_IN: Address = "0x000000000000000000000000000000005a4d14b0";

/**
 * Runs a quote's calldata on its block as a sender that can pay: the wallet itself where it can, otherwise with balance
 * and allowance overridden. The result is only reported; a revert is also told as a notice.
 *
 * @returns an `Unproved` with the reason where no node answers in time, or none can run it
 */
export async function proofOf(deps: Deps, made: Quote, request: QuoteRequest): Promise<Proof | Unproved> {
  const { offer, call, ran } = made;
  if (ran !== undefined) {
    const { paid, gasUsed, method } = ran;
    if (!ran.sameBlock || method === undefined) return OTHER_BLOCK;
    return {
      ...judged(paid, offer.amountOut),
      gasUsed,
      block: offer.head,
      method,
      funds: "wallet",
      reason: undefined,
    };
  }
  const run = await servedChain(deps, request.chainId)
    .proof.run({
      swap: call,
      from: request.taker ?? STAND_IN,
      token: offer.tokenIn.address,
      amountIn: offer.amountIn,
      isSigned: request.permit !== undefined,
      isAble: request.taker !== undefined,
      head: offer.head,
    })
    .catch(unlessStale);
  if (run === undefined) return NO_WAY;
  if ("status" in run) return run;
  const { method, gasUsed } = run;
  const funds = method === "eth_call" ? "wallet" : "overridden";
  const told = { gasUsed, block: offer.head, method, funds } as const;
  const paid = run.ok ? firstWord(run.data) : undefined;
  if (paid !== undefined) return { ...told, ...judged(paid, offer.amountOut), reason: undefined };
  const reason = decodeRevert(run.data).text;
  return { ...told, status: "reverted", amountOut: undefined, reason, reverted: run.data };
}

function judged(paid: bigint, expected: bigint): Pick<Proof, "status" | "amountOut"> {
  return { status: paid === expected ? "exact" : "differs", amountOut: paid };
}

function unlessStale(error: unknown): Unproved {
  if (!(error instanceof BraidError)) throw error;
  return NO_NODE;
}
