import { decodeRevert } from "../../core/encoding/index.ts";
import { BraidError, type Detail } from "../../core/errors.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { tokenAmount } from "../amount-text.ts";
import type { ListedToken, ServedChain, SimulationResult } from "../ports/ports.ts";
import { canPay, firstWord, type WalletFacts, walletFacts } from "../wallet.ts";

/** A call that can be sent as it is. */
export type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };

/** A swap as a wallet would send it, with what it is expected to take. */
export type Trial = {
  readonly call: Call;
  readonly taker: Address;
  readonly token: Address;
  readonly amountIn: bigint;
  /** The block that the offer was made in, or on top of which. */
  readonly head: Head;
  /** The offer was made of states that no node can run it on. */
  readonly isPreconfirmed: boolean;
};

/** What became of a trial. `sameBlock`: it ran on the state that the offer was made in, so a difference is proof. */
export type Outcome =
  | {
      readonly kind: "ran";
      readonly paid: bigint;
      readonly gasUsed: bigint;
      readonly sameBlock: boolean;
      readonly method: SimulationResult["method"];
    }
  | {
      readonly kind: "reverted";
      readonly data: Hex;
      readonly facts: WalletFacts;
      readonly canPay: boolean;
      readonly sameBlock: boolean;
    };

/**
 * Room over the gas that the node found to be enough, for a market that moves before the transaction is mined: the least in
 * thousandths, and where prices decide how much a pool does two ticks more to cross, each as dear as the dearest that was
 * measured, up to the most.
 */
const TICKS_GAS = 62_000n;
const LEAST_ROOM_PERMILLE = 50n;
const MOST_ROOM_PERMILLE = 150n;

/**
 * A gas limit that a transaction keeps where `needed` was the least one in a simulation; rounded up.
 *
 * @param isSteady of its route: no step needs more gas where the price has moved on
 */
export function gasLimit(needed: bigint, isSteady = false): bigint {
  const least = (needed * LEAST_ROOM_PERMILLE + 999n) / 1_000n;
  if (isSteady) return needed + least;
  const most = (needed * MOST_ROOM_PERMILLE + 999n) / 1_000n;
  const room = TICKS_GAS < most ? TICKS_GAS : most;
  return needed + (room > least ? room : least);
}

/** Runs a swap on the offer's block and reads the wallet beside it. @throws BraidError STALE_STATE when no node answers */
export async function tryOut(served: ServedChain, trial: Trial): Promise<Outcome> {
  const { call, taker, head, isPreconfirmed } = trial;
  const [run, facts] = await Promise.all([
    served.node.simulate({ from: taker, ...call }, head),
    walletFacts(served, trial.token, taker),
  ]);
  const sameBlock = run.blockHash === head.hash && !isPreconfirmed;
  const paid = run.ok ? firstWord(run.data) : undefined;
  const { gasUsed, method } = run;
  if (paid !== undefined) return { kind: "ran", paid, gasUsed, sameBlock, method };
  return { kind: "reverted", data: run.data, facts, canPay: canPay(facts, trial.amountIn), sameBlock };
}

type Reverted = Extract<Outcome, { kind: "reverted" }>;

/** What the router said, for people; without a full stop. */
export function revertText(outcome: Reverted): string {
  return decodeRevert(outcome.data).text.replace(/\.$/, "");
}

/** What to do where a swap that carries a signature reverts: a token says of a wrong one that its owner allowed too little. */
export const SIGN_AGAIN =
  "The signature must be takerAddress's, of the typed data that quote offers for exactly this swap: ask for it again.";

/**
 * The failure of a swap that reverts: the decoded reason, and what the wallet holds and allows.
 *
 * @param sold the token that the swap takes
 * @param isSigned a signature comes with the swap, in the place of an allowance
 */
export function simulationFailed(
  outcome: Reverted,
  trial: Trial,
  sold: ListedToken,
  isSigned: boolean,
): BraidError {
  const { name, values } = decodeRevert(outcome.data);
  const said = revertText(outcome);
  const { balance, allowance } = outcome.facts;
  const details: Detail[] = [
    { ...values, field: "calldata", reason: said, error: name },
    fact("balance", balance, trial.amountIn),
    isSigned
      ? { field: "permit_signature", reason: "takes the place of an allowance" }
      : fact("allowance", allowance, trial.amountIn),
  ];
  const why = [
    shortfall("balance", balance, trial.amountIn, sold),
    isSigned ? ` ${SIGN_AGAIN}` : shortfall("allowance", allowance, trial.amountIn, sold),
  ];
  return new BraidError("SIMULATION_FAILED", `The transaction reverts: ${said}.${why.join("")}`, { details });
}

/** Amounts in smallest units. */
function fact(field: string, value: bigint | undefined, needed: bigint): Detail {
  const known = { needed: needed.toString() };
  if (value === undefined) return { field, reason: "the token does not say", value: "unknown", ...known };
  return { field, reason: value >= needed ? "enough" : "too low", value: value.toString(), ...known };
}

/** A sentence for people; empty where the wallet has enough. */
function shortfall(field: string, value: bigint | undefined, needed: bigint, sold: ListedToken): string {
  if (value !== undefined && value >= needed) return "";
  const takes = `the swap takes ${tokenAmount(needed, sold)}.`;
  return value === undefined
    ? ` The ${field} is unknown, ${takes}`
    : ` The ${field} is ${tokenAmount(value, sold)}, ${takes}`;
}
