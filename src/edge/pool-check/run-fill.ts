import { numberToHex } from "viem/utils";
import { encodeApprove, encodeBalanceOf, encodeSwap } from "../../core/encoding/index.ts";
import type { Registry } from "../../core/protocol.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Fill,
  type Head,
  type Hex,
  type Pool,
  type Route,
  type View,
} from "../../core/types.ts";
import { fields, hex, integer } from "../node/parse.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import type { Request } from "../node/types.ts";
import type { BalanceSlot } from "./storage-slot.ts";

/** An exchange at one pool as its design prices it: `fill.amountIn` of token i for `fill.amountOut` of token j. */
export type Priced = { readonly pool: Pool; readonly i: number; readonly j: number; readonly fill: Fill };

/** The block that exchanges are run on, the account that runs them and the node that simulates them. */
export type Bench = {
  readonly rpc: Rpc;
  readonly registry: Registry;
  readonly router: Address;
  readonly head: Head;
  readonly view: View;
  readonly at: At;
  /** An account that nobody else can choose or prepare. */
  readonly account: Address;
  readonly deadlineMs: number;
};

/**
 * Runs one exchange by itself in the block after the head, through the router, from an account whose balance is
 * overridden. The run counts only where the token's own `balanceOf` confirms the override.
 *
 * @param slotOf storage slot of a balance of the token sold; undefined for the native coin
 * @returns the amount that the pool pays; undefined where the node cannot run the exchange, or it reverts, for which
 *   the pool need not be the reason
 * @throws NodeFailure where no node answers
 */
export async function runFill(
  bench: Bench,
  priced: Priced,
  slotOf: BalanceSlot | undefined,
): Promise<bigint | undefined> {
  const { rpc, head, deadlineMs } = bench;
  const request = requestOf(bench, priced, slotOf);
  const [answer] = await rpc.batch([request], { block: head.number, deadlineMs });
  if (answer?.ok !== true) return undefined;
  const results = resultsOf(answer.result);
  if (results === undefined || results.some(({ ok }) => !ok)) return undefined;
  const funded = slotOf === undefined || wordOf(results[0]!.data) === priced.fill.amountIn;
  return funded ? wordOf(results.at(-1)!.data) : undefined;
}

function requestOf(
  { router, head, at, account, ...bench }: Bench,
  { pool, i, j, fill }: Priced,
  slotOf: BalanceSlot | undefined,
): Request {
  const { amountIn, amountOut, gas } = fill;
  const [tokenIn, tokenOut] = [pool.tokens[i]!, pool.tokens[j]!];
  const step = { pool, i, j, shareQ32: ALL_Q32, amountIn, amountOut, gas };
  const route: Route = { tokenIn, tokenOut, amountIn, amountOut, steps: [step] };
  const terms = {
    minimumOut: 1n,
    recipient: undefined,
    deadline: at.timestamp + 1,
    sellFeePermille: 0,
    buyFeePermille: 0,
    feeRecipient: undefined,
  };
  const context = { registry: bench.registry, view: bench.view, trusts: () => false, vets: () => false };
  const swap = encodeSwap(amountIn, route, terms, context);
  const toToken = (data: Hex) => ({ from: account, to: tokenIn, data });
  const before =
    slotOf === undefined ? [] : [toToken(encodeBalanceOf(account)), toToken(encodeApprove(router, amountIn))];
  const last = { from: account, to: router, data: swap.data, value: numberToHex(swap.value) };
  const stateOverrides =
    slotOf === undefined
      ? { [account]: { balance: numberToHex(amountIn) } }
      : { [tokenIn]: { stateDiff: { [slotOf(account)]: numberToHex(amountIn, { size: 32 }) } } };
  const time = numberToHex(Math.max(at.timestamp, head.timestamp + 1));
  const block = { blockOverrides: { time }, stateOverrides, calls: [...before, last] };
  return { method: "eth_simulateV1", params: [{ blockStateCalls: [block] }, { blockHash: head.hash }] };
}

type CallResult = { readonly ok: boolean; readonly data: Hex };

/** @returns undefined where the answer does not have the documented shape */
function resultsOf(result: unknown): CallResult[] | undefined {
  try {
    const block = fields(Array.isArray(result) ? result[0] : undefined);
    if (!Array.isArray(block.calls) || block.calls.length === 0) return undefined;
    return block.calls.map((call) => {
      const { status, returnData } = fields(call);
      return { ok: integer(status) === 1, data: hex(returnData ?? "0x") };
    });
  } catch {
    return undefined;
  }
}

function wordOf(data: Hex): bigint | undefined {
  return data.length === 66 ? BigInt(data) : undefined;
}

/** Amounts that are tried, 10^6 to 10^24 smallest units, independent of any request: tokens have 0 to 27 decimals. */
const SIZES = Array.from({ length: 19 }, (_, k) => 10n ** BigInt(k + 6));

/** Most exchanges that are run with one pool. */
const MOST_RUNS = 12;

/** For each direction of the pool, the largest of the fixed sizes that the design fills, and a thousandth of it. */
export function fixedFills(pool: Pool, { registry, view, at }: Bench): Priced[] {
  const protocol = registry.get(pool.protocol)!;
  const quote = (i: number, j: number, amount: bigint) => protocol.quote(view, pool, i, j, amount, "in", at);
  const sides = [...pool.tokens.keys()];
  const pairs = sides.flatMap((i) => sides.filter((j) => j !== i).map((j) => [i, j] as const));
  return pairs
    .flatMap(([i, j]) => {
      const largest = SIZES.findLastIndex((size) => quote(i, j, size) !== undefined);
      const sizes = largest < 0 ? [] : [SIZES[largest]!, SIZES[largest]! / 1000n];
      return sizes.flatMap((size) => {
        const fill = quote(i, j, size);
        return fill === undefined || fill.amountIn !== size ? [] : [{ pool, i, j, fill }];
      });
    })
    .slice(0, MOST_RUNS);
}
