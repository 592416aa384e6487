import { decodeRevert } from "../../core/encoding/index.ts";
import { BraidError, type Detail, unlessRefused } from "../../core/errors.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { tokenAmount } from "../amount-text.ts";
import type { ListedToken, ServedChain, SimulationResult, TrialTransaction } from "../ports/ports.ts";
import type { Offer } from "../pricing/offer.ts";
import { canPay, firstWord, type WalletFacts, walletFacts } from "../wallet.ts";

/** A call that can be sent as it is. */
export type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };

/** A swap as its wallet would send it, with the amount that it sells. */
export type Trial = {
  readonly call: Call;
  readonly taker: Address;
  readonly token: Address;
  readonly amountIn: bigint;
  /** The block whose state the offer was made from, or its sealed parent where the offer is preconfirmed. */
  readonly head: Head;
  /** Whether the offer was made from the states of an unsealed block, on which no node can run it. */
  readonly isPreconfirmed: boolean;
};

/** The trial of a quote as its wallet would send it. */
export function trialOf(
  { offer, call }: { readonly offer: Offer; readonly call: Call },
  taker: Address,
): Trial {
  const { tokenIn, amountIn, head, isPreconfirmed } = offer;
  return { call, taker, token: tokenIn.address, amountIn, head, isPreconfirmed };
}

/** Result of a trial. `sameBlock`: it ran on the state that the offer was made from, so a difference is conclusive. */
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

export type Ran = Extract<Outcome, { kind: "ran" }>;
export type Reverted = Extract<Outcome, { kind: "reverted" }>;

/**
 * Margin over the gas that sufficed in the simulation, because the market may move before the transaction is mined. It
 * is at least `LEAST_ROOM_PERMILLE`. Where gas depends on prices it is the gas of crossing two more ticks, at the
 * highest cost of a tick that was measured, at most `MOST_ROOM_PERMILLE`.
 */
const TICKS_GAS = 62_000n;
const LEAST_ROOM_PERMILLE = 50n;
const MOST_ROOM_PERMILLE = 150n;

/**
 * The gas limit for a transaction that needed `needed` in a simulation; the margin is rounded up.
 *
 * @param isSteady whether no step of the route needs more gas after a price change
 */
export function gasLimit(needed: bigint, isSteady = false): bigint {
  const least = (needed * LEAST_ROOM_PERMILLE + 999n) / 1_000n;
  if (isSteady) return needed + least;
  const most = (needed * MOST_ROOM_PERMILLE + 999n) / 1_000n;
  const room = TICKS_GAS < most ? TICKS_GAS : most;
  return needed + (room > least ? room : least);
}

/**
 * Simulates a swap on the offer's block, and reads the wallet meanwhile. It runs at the chain's high gas price, because
 * a token could recognise a simulation by a gas price of 0. @throws BraidError STALE_STATE when no node answers
 */
export async function tryOut(served: ServedChain, trial: Trial): Promise<Outcome> {
  const { head, isPreconfirmed } = trial;
  const [run, facts] = await Promise.all([
    served.node.simulate(transactionOf(served, trial), head),
    walletFacts(served, trial.token, trial.taker),
  ]);
  const sameBlock = run.blockHash === head.hash && !isPreconfirmed;
  return (
    ranOf(run, sameBlock) ?? {
      kind: "reverted",
      data: run.data,
      facts,
      canPay: canPay(facts, trial.amountIn),
      sameBlock,
    }
  );
}

/**
 * Simulates a swap on the node's newest block. After a revert on an older one it tells whether the wallet approved or
 * received since then what the swap needs.
 *
 * @returns undefined where it reverts here too, or no node answers
 */
export async function tryOnNewest(served: ServedChain, trial: Trial): Promise<Ran | undefined> {
  const run = await unlessRefused(() => served.node.simulate(transactionOf(served, trial)));
  return run && ranOf(run, false);
}

function transactionOf(served: ServedChain, { call, taker }: Trial): TrialTransaction {
  return { from: taker, ...call, gasPriceWei: served.gas.levels()?.high.priceWei };
}

/** @returns undefined where the run reverted, or the router's answer is no amount */
function ranOf(run: SimulationResult, sameBlock: boolean): Ran | undefined {
  const paid = run.ok ? firstWord(run.data) : undefined;
  const { gasUsed, method } = run;
  return paid === undefined ? undefined : { kind: "ran", paid, gasUsed, sameBlock, method };
}

/** The decoded revert reason, for people, without a final full stop. */
export function revertText(outcome: Reverted): string {
  return decodeRevert(outcome.data).text.replace(/\.$/, "");
}

/** Advice where a swap with a signature reverts: for a wrong signature a token may report an insufficient allowance. */
export const SIGN_AGAIN =
  "The signature must be takerAddress's, of the typed data that quote offers for exactly this swap: ask for it again.";

/**
 * The failure for a swap that reverts: the decoded reason, and the wallet's balance and allowance.
 *
 * @param sold the token that the swap sells
 * @param isSigned whether the swap carries a signature, which replaces the allowance
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

/** A detail that compares the wallet's balance or allowance with the amount needed, in smallest units. */
function fact(field: string, value: bigint | undefined, needed: bigint): Detail {
  const known = { needed: needed.toString() };
  if (value === undefined) return { field, reason: "the token does not say", value: "unknown", ...known };
  return { field, reason: value >= needed ? "enough" : "too low", value: value.toString(), ...known };
}

/** A sentence for people that states what the wallet lacks; empty where it has enough. */
function shortfall(field: string, value: bigint | undefined, needed: bigint, sold: ListedToken): string {
  if (value !== undefined && value >= needed) return "";
  const takes = `the swap takes ${tokenAmount(needed, sold)}.`;
  return value === undefined
    ? ` The ${field} is unknown, ${takes}`
    : ` The ${field} is ${tokenAmount(value, sold)}, ${takes}`;
}
