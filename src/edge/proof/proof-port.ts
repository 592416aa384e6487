import { numberToHex } from "viem/utils";
import { encodeApprove } from "../../core/encoding/index.ts";
import { forgetOldest } from "../../core/forget-oldest.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { ProofPort, ProofRequest, ProofRun } from "../../service/ports/ports.ts";
import { nextAt } from "../next-at.ts";
import type { Answer } from "../node/endpoint.ts";
import { fields, hex, integer, quantity } from "../node/parse.ts";
import { asStale } from "../node/ports/node-port.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import {
  type AllowanceSlot,
  type BalanceSlot,
  findAllowanceSlot,
  findBalanceSlot,
} from "../pool-check/storage-slot.ts";
import { createCautions } from "./cautions.ts";

type ProofSettings = { readonly blockTimeMs: number };

/** Deadline of one request of a proof, milliseconds; after it, a quote is answered without a proof. */
const DEADLINE_MS = 500;

/** Most tokens whose storage layout is cached; the oldest entry is evicted first. */
const MOST_TOKENS = 2_000;

/** Simulates swaps for any sender: the balance and the allowance that it lacks are overridden in the simulation. */
export function createProofPort(rpc: Rpc, { blockTimeMs }: ProofSettings): ProofPort {
  const context: Context = { rpc, blockTimeMs, balances: new Map(), allowances: new Map() };
  return {
    ...createCautions(rpc),
    run: (request) =>
      runAny(context, request).catch((cause) => {
        throw asStale(cause);
      }),
  };
}

type Context = ProofSettings & {
  readonly rpc: Rpc;
  readonly balances: Map<Address, BalanceSlot>;
  readonly allowances: Map<Address, AllowanceSlot>;
};

/**
 * Tries `eth_simulateV1`, then `eth_call` with overrides, then a plain `eth_call` for a sender that may be able to pay.
 *
 * @returns undefined where none of them works with this node and this token
 */
async function runAny(context: Context, request: ProofRequest): Promise<ProofRun | undefined> {
  const funds = await fundsOf(context, request);
  if (funds !== undefined) {
    const simulated = simulatedRun(await askOne(context, request, simulation(context, request, funds)));
    if (simulated !== undefined) return simulated;
    const overrides = await allowedOf(context, request, funds);
    if (overrides !== undefined)
      return calledRun(await askOne(context, request, call(request, overrides)), "eth_call with overrides");
  }
  return request.isAble
    ? calledRun(await askOne(context, request, call(request, undefined)), "eth_call")
    : undefined;
}

async function askOne(
  { rpc }: Context,
  { head }: ProofRequest,
  request: { readonly method: string; readonly params: readonly unknown[] },
): Promise<Answer> {
  const [answer] = await rpc.batch([request], { block: head.number, deadlineMs: DEADLINE_MS });
  return answer!;
}

type Overrides = Readonly<Record<Address, object>>;

/** State overrides that give the sender the amount sold; undefined where the token's balance slot cannot be found. */
async function fundsOf(
  context: Context,
  { token, amountIn, from, head }: ProofRequest,
): Promise<Overrides | undefined> {
  if (isNative(token)) return { [from]: { balance: numberToHex(amountIn) } };
  const asked = { rpc: context.rpc, head, deadlineMs: DEADLINE_MS };
  const slotOf =
    context.balances.get(token) ??
    remember(context.balances, token, await findBalanceSlot(token, from, asked));
  if (slotOf === undefined) return undefined;
  return { [token]: { stateDiff: { [slotOf(from)]: numberToHex(amountIn, { size: 32 }) } } };
}

/** `funds` and an override of the allowance, for `eth_call`, which cannot run an approval first. */
async function allowedOf(
  context: Context,
  { token, amountIn, from, swap, isSigned, head }: ProofRequest,
  funds: Overrides,
): Promise<Overrides | undefined> {
  if (isNative(token) || isSigned) return funds;
  const asked = { rpc: context.rpc, head, deadlineMs: DEADLINE_MS };
  const pair = { owner: from, spender: swap.to };
  const slotOf =
    context.allowances.get(token) ??
    remember(context.allowances, token, await findAllowanceSlot(token, pair, asked));
  if (slotOf === undefined) return undefined;
  const { stateDiff } = funds[token] as { stateDiff: Record<Hex, Hex> };
  const allowed = { [slotOf(from, swap.to)]: numberToHex(amountIn, { size: 32 }) };
  return { [token]: { stateDiff: { ...stateDiff, ...allowed } } };
}

function remember<T>(known: Map<Address, T>, token: Address, found: T | undefined): T | undefined {
  if (found === undefined) return undefined;
  known.set(token, found);
  forgetOldest(known, MOST_TOKENS);
  return found;
}

function callOf({ from, swap }: ProofRequest) {
  return { from, to: swap.to, data: swap.data, value: numberToHex(swap.value) };
}

function simulation({ blockTimeMs }: Context, request: ProofRequest, stateOverrides: Overrides) {
  const { from, token, amountIn, swap, head, isSigned } = request;
  // Some tokens change an allowance only from 0. Those that refuse an approval of 0 have no effect on the calls after it.
  const approvals = [0n, amountIn].map((amount) => ({
    from,
    to: token,
    data: encodeApprove(swap.to, amount),
  }));
  const calls = isNative(token) || isSigned ? [callOf(request)] : [...approvals, callOf(request)];
  const time = numberToHex(Math.max(nextAt(head, blockTimeMs).timestamp, head.timestamp + 1));
  const block = { blockOverrides: { time }, stateOverrides, calls };
  return { method: "eth_simulateV1", params: [{ blockStateCalls: [block] }, { blockHash: head.hash }] };
}

function call(request: ProofRequest, overrides: Overrides | undefined) {
  const where = { blockHash: request.head.hash };
  const params = overrides === undefined ? [callOf(request), where] : [callOf(request), where, overrides];
  return { method: "eth_call", params };
}

/** @returns undefined where the node does not support the method, or its answer does not have the specified form */
function simulatedRun(answer: Answer): ProofRun | undefined {
  if (!answer.ok) return undefined;
  try {
    const block = fields(Array.isArray(answer.result) ? answer.result[0] : undefined);
    const { status, returnData, gasUsed } = fields((block.calls as readonly unknown[]).at(-1));
    return {
      method: "eth_simulateV1",
      ok: integer(status) === 1,
      data: hex(returnData ?? "0x"),
      gasUsed: quantity(gasUsed),
    };
  } catch {
    return undefined;
  }
}

function calledRun(answer: Answer, method: ProofRun["method"]): ProofRun | undefined {
  if (answer.ok) return { method, ok: true, data: hex(answer.result), gasUsed: undefined };
  if (answer.failure.kind !== "reverted") return undefined;
  return { method, ok: false, data: answer.failure.data ?? "0x", gasUsed: undefined };
}
