import { airSwapExtra, rfqExtra } from "../../core/encoding/index.ts";
import { extraBytes, stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import {
  fillsWhole,
  type Inventory,
  isAirSwapOrder,
  type Level,
  levelOf,
  RFQ,
  type RfqState,
} from "../../core/rfq.ts";
import type { Address, Fill, Hex, Pool, View } from "../../core/types.ts";
import { priceOf, sell } from "./levels.ts";
import { along, curveOf, type Mirror } from "./mirror.ts";

/** Gas units through the router: a transfer to the maker, a signature, a nonce, and a transfer from the maker. */
const GAS = 115_000;
/** Additional gas if a contract validates the signature: a proxy and the recovery of one signer. */
const CONTRACT_GAS = 20_000;

/**
 * Gas units of an AirSwap order: the input passes through the router with an allowance, and a fee is paid as well. On
 * the devnet that takes 57,000 units more, before refunds.
 */
const AIRSWAP_GAS = 172_000;

/** Extra bytes of an indicative price: an order of zero, which the router refuses. */
const noOrder = (kind: number): Hex => `0x${"00".repeat(extraBytes[kind]!)}`;

/** The maker's inventory; undefined if the pool has none, since an order then limits the amount itself. */
function inventoryOf(view: View, pool: Pool): Inventory | undefined {
  const id = pool.stateIds[1];
  return id === undefined ? undefined : (view.get(id) as Inventory);
}

// biome-ignore lint/complexity/useMaxParams: the signature of Protocol.quote
const quote: Protocol["quote"] = (view, pool, i, j, amount, side) => {
  if (amount <= 0n) return undefined;
  const state = view.get(pool.stateIds[0]) as RfqState;
  const levels = state.levels[i as 0 | 1];
  const amountIn = side === "in" ? amount : priceOf(levels, amount);
  if (amountIn === undefined || !mayBe(amountIn, pool, state, i)) return undefined;
  const sale = sell(levels, amountIn);
  if (sale === undefined || sale.amountOut === 0n) return undefined;
  const inventory = inventoryOf(view, pool);
  const token = pool.tokens[j]!;
  if (inventory !== undefined && (inventory[token] ?? 0n) < sale.amountOut) return undefined;
  const after: Fill["writes"] = [[pool.stateIds[0], { ...state, levels: replaced(state, i, sale.left) }]];
  const stock = inventory && spent(pool, inventory, token, sale.amountOut);
  return {
    amountIn,
    amountOut: side === "in" ? sale.amountOut : amount,
    gas: gasOf(pool),
    writes: stock === undefined ? after : [...after, stock],
  };
};

/**
 * Whether an order may have this amount: at least the minimum, and the whole of a signed order that is filled in full
 * only.
 */
function mayBe(amountIn: bigint, pool: Pool, { least, firm }: RfqState, i: number): boolean {
  if (least !== undefined && amountIn < least[i as 0 | 1]) return false;
  return firm === null || !fillsWhole(pool) || amountIn === levelOf(firm.order).amountIn;
}

const gasOf = (pool: Pool): number =>
  (fillsWhole(pool) ? AIRSWAP_GAS : GAS) + (pool.facts.contract === 1 ? CONTRACT_GAS : 0);

function replaced({ levels: [onward, back] }: RfqState, i: number, left: readonly Level[]) {
  return i === 0 ? [left, back] : [onward, left];
}

/** The inventory after a payment. Amounts that the maker receives are not added, so they cannot be paid out again. */
function spent(
  pool: Pool,
  inventory: Inventory,
  token: Address,
  amount: bigint,
): readonly [string, Inventory] {
  return [pool.stateIds[1]!, { ...inventory, [token]: inventory[token]! - amount }];
}

function mirror({ levels }: RfqState, pool: Pool, _at: unknown, view: View): Mirror {
  const inventory = inventoryOf(view, pool);
  const stock = (token: Address) => (inventory === undefined ? Infinity : Number(inventory[token] ?? 0n));
  return {
    gas: gasOf(pool),
    curves: [curveOf(levels[0], stock(pool.tokens[1]!)), curveOf(levels[1], stock(pool.tokens[0]!))],
  };
}

/**
 * Step by Permit2: the router transfers the input from its holder to the maker, and no pool may pay the maker in
 * advance.
 */
function permit2Step(pool: Pool, { firm }: RfqState): StepCode {
  const order = firm === null || isAirSwapOrder(firm.order) ? undefined : firm.order;
  return {
    kind: stepKinds.rfq,
    target: pool.address,
    zeroForOne: order?.taker !== undefined,
    extra: order === undefined ? noOrder(stepKinds.rfq) : rfqExtra(order, firm!.signature),
    intake: "callback",
    paysAnyone: true,
  };
}

/** Step by AirSwap's contract, which pulls the input from the router. */
function airSwapStep(pool: Pool, { firm }: RfqState): StepCode {
  const order = firm !== null && isAirSwapOrder(firm.order) ? firm.order : undefined;
  return {
    kind: stepKinds.airSwap,
    target: pool.address,
    zeroForOne: false,
    extra: order === undefined ? noOrder(stepKinds.airSwap) : airSwapExtra(order, firm!.signature),
    intake: "approval",
    paysAnyone: true,
  };
}

const encode = (pool: Pool, state: RfqState): StepCode =>
  fillsWhole(pool) ? airSwapStep(pool, state) : permit2Step(pool, state);

/**
 * Market makers that sign orders. A pool is a maker's price levels for one pair of tokens. Its state is not on chain:
 * the edge stores levels while they are fresh, and a quote replaces them by an order that the maker has signed.
 *
 * @source contracts/steps/Rfq.sol and AirSwap.sol; Permit2's permitWitnessTransferFrom; SwapERC20's swap
 */
export const rfq: Protocol<RfqState, Mirror> = {
  name: RFQ,
  topics: [],
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover: () => undefined,
  touches: () => [],
  isUnread: true,
  reads: () => [],
  load: () => ({ refusal: "a maker's levels are not on the chain" }),
  apply: (state) => state,
  stale: () => false,
  quote,
  mirror,
  quoteFloat: ({ curves }, i, _j, x) => along(curves[i as 0 | 1], x),
  curve: ({ curves }, i) => curves[i as 0 | 1],
  joint: noJoint,
  // Pairs share the maker's inventory only: an amount paid for one order cannot be paid for another.
  sharesLimits: true,
  gas: ({ gas }) => gas,
  encode,
};
