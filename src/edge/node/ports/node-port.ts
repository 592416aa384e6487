import { numberToHex } from "viem/utils";
import { BraidError } from "../../../core/errors.ts";
import { ZERO_ADDRESS } from "../../../core/tokens.ts";
import type { Address, Head, Hex } from "../../../core/types.ts";
import type {
  NodePort,
  SimulationResult,
  Transaction,
  TrialTransaction,
} from "../../../service/ports/ports.ts";
import { nextAt } from "../../next-at.ts";
import type { Answer } from "../endpoint.ts";
import { fields, hex, integer, quantity } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { Request } from "../types.ts";

const LATEST = "latest";

/**
 * Reads of the newest state and simulations, for the services.
 *
 * @param deadlineMs a request that no endpoint answers within it is rejected with STALE_STATE
 * @param blockTimeMs block time of the chain, from which a simulation takes the timestamp of the block after the given
 *   one
 */
export function createNodePort(rpc: Rpc, deadlineMs: number, blockTimeMs: number): NodePort {
  const ask: Ask = (requests, on) =>
    rpc.batch(requests, { block: on?.number ?? "newest", deadlineMs, urgency: "head" }).catch((cause) => {
      throw asStale(cause);
    });
  return {
    async call(to, data) {
      const [answer] = await ask([{ method: "eth_call", params: [{ to, data }, LATEST] }]);
      return understand(answer as Answer, hex, () => "0x");
    },
    async getBalance(account) {
      const [answer] = await ask([{ method: "eth_getBalance", params: [account, LATEST] }]);
      return understand(answer as Answer, quantity);
    },
    async simulate(transaction, on) {
      const pinned = on === undefined ? undefined : await simulateOn(ask, transaction, { on, blockTimeMs });
      return pinned ?? (await simulateNewest(ask, transaction));
    },
  };
}

type Ask = (requests: readonly Request[], on?: Head) => Promise<Answer[]>;

/** The transaction as JSON-RPC parameters. */
function fieldsOf({ from, to, data, value }: Transaction) {
  return { from, to, data, value: `0x${value.toString(16)}` };
}

/** @returns undefined where no node has the state of this block, or no node can simulate on it */
async function simulateOn(
  ask: Ask,
  transaction: TrialTransaction,
  { on, blockTimeMs }: { on: Head; blockTimeMs: number },
): Promise<SimulationResult | undefined> {
  const call = fieldsOf(transaction);
  const { timestamp } = nextAt(on, blockTimeMs);
  const time = `0x${Math.max(timestamp, on.timestamp + 1).toString(16)}`;
  const where = { blockHash: on.hash };
  const blockOverrides = { time };
  const estimating = { method: "eth_estimateGas", params: [call, where, {}, blockOverrides] };
  const place = { transaction, where, block: { blockOverrides } };
  const [first, estimate] = await simulateAnd(estimating, (requests) => ask(requests, on), place);
  if (first?.ok === false && first.failure.kind === "missing") return undefined;
  const isTimed = !refusesTime(estimate);
  const limit = isTimed ? estimate : (await ask([estimateOf(call, where)], on))[0];
  const result = simulated([first!, limit!], isTimed) ?? called(await ask(runs(call, where), on));
  return result === undefined ? undefined : { ...result, blockHash: on.hash };
}

/**
 * Whether the node does not take a block time in eth_estimateGas. The estimate then runs at the time of the block
 * itself, where pairs that were traded in that block need less gas than they will: they update their price accumulators
 * only when the time has moved on.
 */
function refusesTime(estimate: Answer | undefined): boolean {
  return estimate?.ok === false && OTHER_WAY.has(estimate.failure.kind);
}

async function simulateNewest(ask: Ask, transaction: TrialTransaction): Promise<SimulationResult> {
  const call = fieldsOf(transaction);
  const place = { transaction, where: LATEST, block: {} };
  const answers = await simulateAnd(estimateOf(call, LATEST), ask, place);
  const result = simulated(answers, false) ?? called(await ask(runs(call, LATEST)));
  if (result !== undefined) return result;
  throw asStale(new NodeFailure("unsupported", "no node can simulate"));
}

type Place = {
  readonly transaction: TrialTransaction;
  readonly where: unknown;
  /** Overrides of the simulated block. */
  readonly block: object;
};

/**
 * The answers of eth_simulateV1, at the transaction's gas price, and of another request in the same batch. Where the
 * simulation fails at the gas price, which may be because the gas was not paid for, it is repeated at a price of 0. The
 * methods that replace eth_simulateV1 on nodes without it always run at 0: they run one call, before which nothing can
 * pay for its gas.
 */
async function simulateAnd(
  other: Request,
  ask: (requests: readonly Request[]) => Promise<Answer[]>,
  { transaction, where, block }: Place,
): Promise<Answer[]> {
  const call = fieldsOf(transaction);
  const { from, gasPriceWei = 0n } = transaction;
  const simulating = (changes: object): Request => ({
    method: "eth_simulateV1",
    params: [{ blockStateCalls: [{ ...block, ...changes }] }, where],
  });
  if (gasPriceWei === 0n) return ask([simulating({ calls: [call] }), other]);
  const answers = await ask([simulating(paidFor(from, call, gasPriceWei)), other]);
  const [first] = answers;
  if (first?.ok === true ? isFunded(first.result) : first?.failure.kind === "missing") return answers;
  const [unpaid] = await ask([simulating({ calls: [call] })]);
  return [unpaid!, ...answers.slice(1)];
}

/** An account that nobody owns. In a simulation it has the code and the coins that pay for the sender's gas. */
const GAS_PAYER = "0x000000000000000000000000000000005a4d14b1";
const GAS_PAYER_LIMIT = 200_000;
/** Gas limit of a simulation with a gas price; more than any route needs, and below the gas limits of blocks. */
const PAID_LIMIT = 15_000_000;

/**
 * A call at a gas price, after another one that adds the price of its gas to the sender's balance. The sender's own
 * balance is not overridden, so what it lacks for the value of the call shows as in a transaction. The coins arrive by
 * SELFDESTRUCT, which runs no code of the sender.
 */
function paidFor(from: Address, call: object, gasPriceWei: bigint): object {
  const balance = numberToHex(gasPriceWei * BigInt(PAID_LIMIT));
  const selfDestruct = `0x73${from.slice(2)}ff`;
  const funding = { from: ZERO_ADDRESS, to: GAS_PAYER, gas: numberToHex(GAS_PAYER_LIMIT) };
  const paid = { ...call, gas: numberToHex(PAID_LIMIT), gasPrice: numberToHex(gasPriceWei) };
  return { stateOverrides: { [GAS_PAYER]: { balance, code: selfDestruct } }, calls: [funding, paid] };
}

/** Whether the first call of a simulation succeeded. */
function isFunded(result: unknown): boolean {
  try {
    return integer(fields(callsIn(result)[0]).status) === 1;
  } catch {
    return false;
  }
}

/** Failures after which another method may give the result; after any other failure there is no answer. */
const OTHER_WAY: ReadonlySet<string> = new Set(["unsupported", "rpc", "missing"]);

/**
 * Combines the answers of eth_simulateV1 and eth_estimateGas. The first gives the result; the second gives a sufficient
 * gas limit, which refunds and the gas withheld from inner calls make larger than the gas used.
 *
 * @returns undefined where another method must be used
 */
function simulated(
  [simulation, estimate]: readonly Answer[],
  isTimed: boolean,
): SimulationResult | undefined {
  if (simulation?.ok !== true) return settled(simulation);
  const result = understand(simulation, lastCall);
  const estimated = estimate?.ok === true ? understand(estimate, quantity) : 0n;
  const limit = isTimed ? estimated : inLaterBlock(estimated);
  const known = { ...result, method: "eth_simulateV1" } as const;
  return result.ok && limit > result.gasUsed ? { ...known, gasUsed: limit } : known;
}

/** Requests that replace eth_simulateV1 on nodes without it. */
function runs(call: object, where: unknown): Request[] {
  return [{ method: "eth_call", params: [call, where] }, estimateOf(call, where)];
}

function estimateOf(call: object, where: unknown): Request {
  return { method: "eth_estimateGas", params: [call, where] };
}

function called([call, estimate]: readonly Answer[]): SimulationResult | undefined {
  if (call?.ok !== true) return settled(call);
  if (estimate?.ok !== true) return settled(estimate);
  const gasUsed = inLaterBlock(understand(estimate, quantity));
  return { ok: true, gasUsed, data: understand(call, hex), method: "eth_call" };
}

/** How much more gas the first trade of a block may need than the estimated trade, in thousandths of the estimate. */
const FIRST_OF_BLOCK_PERMILLE = 90n;

/**
 * A gas limit for the next block, from an estimate at the time of a block in which the pools may already have been
 * traded.
 */
function inLaterBlock(estimated: bigint): bigint {
  return estimated + (estimated * FIRST_OF_BLOCK_PERMILLE + 999n) / 1000n;
}

function settled(answer: Answer | undefined): SimulationResult | undefined {
  const failure = answer?.ok === false ? answer.failure : undefined;
  if (failure?.kind === "reverted") return { ok: false, gasUsed: 0n, data: failure.data ?? "0x" };
  if (failure === undefined || OTHER_WAY.has(failure.kind)) return undefined;
  throw asStale(failure);
}

/** The calls of the only block in a result of eth_simulateV1. */
function callsIn(result: unknown): readonly unknown[] {
  const { calls } = fields(Array.isArray(result) ? result[0] : undefined);
  return Array.isArray(calls) ? calls : [];
}

function lastCall(result: unknown): SimulationResult {
  const call = fields(callsIn(result).at(-1));
  const ok = integer(call.status) === 1;
  const returned = hex(call.returnData ?? "0x");
  const error = call.error;
  const data =
    !ok && returned === "0x" && typeof error === "object" && error !== null ? errorData(error) : returned;
  return { ok, gasUsed: quantity(call.gasUsed), data };
}

function errorData(error: object): Hex {
  const data = "data" in error ? error.data : undefined;
  return typeof data === "string" && data.startsWith("0x") ? hex(data) : "0x";
}

function understand<T>(answer: Answer, read: (result: unknown) => T, whenReverted?: () => T): T {
  if (!answer.ok) {
    if (answer.failure.kind === "reverted" && whenReverted !== undefined) return whenReverted();
    throw asStale(answer.failure);
  }
  try {
    return read(answer.result);
  } catch (error) {
    throw asStale(error);
  }
}

/** A NodeFailure as STALE_STATE, which the services know; any other error unchanged. */
export function asStale(cause: unknown): unknown {
  if (!(cause instanceof NodeFailure)) return cause;
  return new BraidError("STALE_STATE", "No node of this chain answers at the moment.", {
    retryAfterSeconds: 2,
    cause,
  });
}
