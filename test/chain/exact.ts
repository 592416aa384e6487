import { LIMIT_DOWN, LIMIT_UP, swap } from "../../src/core/math/concentrated/concentrated-swap.ts";
import type { Address, Hex } from "../../src/core/types.ts";
import type { Chain } from "./blocks/chain.ts";
import { pairOutput } from "./blocks/traffic.ts";
import { isPair, type PoolState } from "./model/states.ts";
import { ZERO } from "./model/universe.ts";

/** An offer as the API answers it, as far as it is checked. */
export type Offered = {
  readonly amount_out_total: string;
  readonly amount_in: string;
  readonly sell_fee_amount: string;
  readonly fee_recipient_amount: string;
  readonly block_number: number;
  readonly block_hash: Hex;
  readonly token_in: Address;
  readonly token_out: Address;
  readonly route_graph: { readonly steps: readonly OfferedStep[] };
};

export type OfferedStep = {
  readonly pool: Hex;
  readonly token_in: Address;
  readonly token_out: Address;
  readonly amount_in: string;
  readonly amount_out: string;
};

const NATIVE: Address = `0x${"ee".repeat(20)}`;

/**
 * What is wrong with an offer: its steps are carried out on the chain's own states of the block that it names.
 *
 * @returns undefined where every step pays exactly what the offer says, and the steps add up to its total
 */
export function wrongIn(chain: Chain, offer: Offered): string | undefined {
  const block = chain.byHash(offer.block_hash);
  if (block === undefined || block.number !== offer.block_number) return `no block ${offer.block_hash}`;
  const states = new Map<number, PoolState>();
  const held = new Map<Address, bigint>([
    [offer.token_in, BigInt(offer.amount_in) - BigInt(offer.sell_fee_amount)],
  ]);
  const add = (token: Address, amount: bigint) => held.set(token, (held.get(token) ?? 0n) + amount);
  for (const step of offer.route_graph.steps) {
    const paid = payOf(chain, step, (pool) => states.get(pool) ?? chain.state(pool, block));
    if (typeof paid === "string") return paid;
    if (paid.amountOut !== BigInt(step.amount_out)) {
      return `pool ${step.pool} pays ${paid.amountOut} of ${step.token_out}, not ${step.amount_out}`;
    }
    if (paid.pool !== undefined) states.set(paid.pool, paid.after);
    add(step.token_in, -BigInt(step.amount_in));
    add(step.token_out, paid.amountOut);
    if ((held.get(step.token_in) ?? 0n) < 0n) return `a step sells more ${step.token_in} than there is`;
  }
  const total = BigInt(offer.amount_out_total) + BigInt(offer.fee_recipient_amount);
  const got = held.get(offer.token_out) ?? 0n;
  return got === total ? undefined : `the steps pay ${got}, the offer says ${total}`;
}

type Paid =
  | { readonly amountOut: bigint; readonly pool: number; readonly after: PoolState }
  | { readonly amountOut: bigint; readonly pool: undefined };

function payOf(
  chain: Chain,
  { pool: key, token_in, token_out, amount_in }: OfferedStep,
  stateOf: (pool: number) => PoolState | undefined,
): Paid | string {
  const amount = BigInt(amount_in);
  if (token_in === NATIVE || token_out === NATIVE) {
    const other = token_in === NATIVE ? token_out : token_in;
    if (key === other && other === chain.universe.tokens.address(0)) {
      return { amountOut: amount, pool: undefined };
    }
  }
  const pool = chain.universe.byKey(key);
  const state = pool === undefined ? undefined : stateOf(pool);
  if (pool === undefined || state === undefined) return `no pool ${key}`;
  const side = chain.universe.pairAddresses(pool).indexOf(token_in === NATIVE ? ZERO : token_in);
  if (side < 0) return `pool ${key} has no ${token_in}`;
  return (
    sold(chain.universe.tier(pool)[0], state, { pool, side, amount }) ?? `pool ${key} cannot fill ${amount}`
  );
}

function sold(
  feePpm: number,
  state: PoolState,
  { pool, side, amount }: { readonly pool: number; readonly side: number; readonly amount: bigint },
): Paid | undefined {
  if (isPair(state)) {
    const [a, b] = state.reserves;
    const amountOut = side === 0 ? pairOutput(amount, a, b, feePpm) : pairOutput(amount, b, a, feePpm);
    const reserves: [bigint, bigint] = side === 0 ? [a + amount, b - amountOut] : [a - amountOut, b + amount];
    return { amountOut, pool, after: { reserves } };
  }
  const done = swap(state, side === 0, amount, side === 0 ? LIMIT_DOWN : LIMIT_UP);
  if (done === undefined || done.unfilled !== 0n) return undefined;
  const { sqrtPriceX96, tick, liquidity } = done;
  return { amountOut: done.amountOut, pool, after: { ...state, sqrtPriceX96, tick, liquidity } };
}
