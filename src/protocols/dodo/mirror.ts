import { ONE, type Pmm, reciprocal } from "../../core/math/pairs/dodo-math.ts";
import type { State } from "./state.ts";
import { gasOf, pricing } from "./trade.ts";

/** One direction of the pool in doubles, with updated targets. */
type Book = {
  readonly price: number;
  readonly sold: number;
  readonly soldTarget: number;
  readonly paid: number;
  readonly paidTarget: number;
  /** The pool's shortage of the token sold, and its surplus of the other; 0 if there is none. */
  readonly lack: number;
  readonly surplus: number;
  /** 1 - fees on the output. */
  readonly keep: number;
  readonly limit: number;
  /** Largest output before fees. */
  readonly most: number;
  /** Whether the contract reverts if the reserve left of the token paid rounds to zero. */
  readonly guarded: boolean;
};

export type Mirror = {
  readonly k: number;
  readonly gas: number;
  /** One book per token sold; undefined if the pool has no price. A classical pool only has a book for base. */
  readonly books: readonly [Book, Book | undefined] | undefined;
};

const UNIT = Number(ONE);
/** Largest number of the contract's words. */
const LARGEST = 2 ** 256;

export function mirror(state: State): Mirror {
  const pool = pricing(state);
  const k = Number(state.k) / UNIT;
  const gas = gasOf(state);
  if (pool === undefined) return { k, gas, books: undefined };
  const second = state.kind === "classical" ? undefined : bookOf(state, pool, 1);
  return { k, gas, books: [bookOf(state, pool, 0), second] };
}

function bookOf(state: State, pool: Pmm, i: 0 | 1): Book {
  const base = { held: pool.base, target: pool.baseTarget, price: pool.i };
  const quote = { held: pool.quote, target: pool.quoteTarget, price: reciprocal(pool.i) };
  const [sold, paid] = i === 0 ? [base, quote] : [quote, base];
  const back = state.side === (i === 0 ? "above" : "below");
  // At R = one the contract prices from the target, whatever the reserve is.
  const atTarget = back || state.side === "one";
  return {
    price: Number(sold.price) / UNIT,
    sold: Number(sold.held),
    soldTarget: Number(sold.target),
    paid: Number(atTarget ? paid.target : paid.held),
    paidTarget: Number(paid.target),
    lack: back ? Number(sold.target - sold.held) : 0,
    surplus: back ? Number(paid.held - paid.target) : 0,
    keep: 1 - Number(state.lpFee + state.mtFee) / UNIT,
    limit: Number(state.limits[i] - sold.held),
    most: Number(paid.held),
    guarded: state.kind !== "classical",
  };
}

/** Output for `x` of token i, in doubles; 0 if the pool would revert. */
export function quoteFloat({ k, books }: Mirror, i: number, _j: number, x: number): number {
  const book = i === 0 ? books?.[0] : books?.[1];
  if (book === undefined || !(x > 0)) return 0;
  // With a target of 0 nothing is paid beyond the shortage: a DVM takes base only up to it.
  if (x > book.limit || (x > book.lack && !(book.paidTarget > 0))) return 0;
  const out =
    (x < book.lack ? towards(book, k, x) : book.surplus + beyond(book, k, x - book.lack)) * book.keep;
  return out > 0 && out <= book.most ? out : 0;
}

/** A sale that ends before the target: the price falls with the square of the reserve. */
function towards(book: Book, k: number, x: number): number {
  const ratio = (book.soldTarget / (book.sold + x)) * (book.soldTarget / book.sold);
  const out = book.price * x * (1 - k + k * ratio);
  return out < book.surplus ? out : book.surplus;
}

/**
 * A sale away from the target: the quadratic solved for the output, without cancellation; NaN if the contract
 * reverts.
 */
function beyond({ price, paid, paidTarget, guarded }: Book, k: number, x: number): number {
  const worth = price * x;
  if (k === 0) return worth < paid ? worth : paid;
  if (!(paid > 0)) return 0;
  const bend = (k * paidTarget * paidTarget) / paid;
  const flat = (1 - k) * paid;
  if (4 * UNIT * (1 - k) * k * paidTarget ** 2 > LARGEST) return Number.NaN;
  if (guarded && k < 1 && 4 * flat * bend < 2 * (bend + worth - flat) + 1) return Number.NaN;
  const root = Math.sqrt((bend + worth - flat) ** 2 + 4 * flat * bend);
  return (2 * worth * paid) / (flat + bend + worth + root);
}
