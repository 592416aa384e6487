import { SWAP_SELECTOR, stepBytes } from "../generated/router.ts";
import type { Hex } from "../hex.ts";

/** One step of a route in the calldata. contracts/README.md of Braid specifies its encoding. */
export type SwapStep = {
  readonly kind: number;
  readonly flags: number;
  /** Index of the token sold in `tokens`. */
  readonly src: number;
  readonly dst: number;
  /** The step sells floor(balance·share / 2^32) of the remaining balance; 0 = all of it. */
  readonly share: number;
  readonly target: Hex;
  readonly extra: Hex;
};

/** A decoded call of the router. Addresses are in lower case, amounts in smallest units. */
export type DecodedSwap = {
  readonly amountIn: bigint;
  /** The transaction reverts where the recipient's balance grows by less. */
  readonly minimumOut: bigint;
  /** undefined = the sender of the transaction. */
  readonly recipient: Hex | undefined;
  /** Unix time in seconds. */
  readonly deadline: bigint;
  readonly sellFeeBps: number;
  readonly buyFeeBps: number;
  readonly feeRecipient: Hex | undefined;
  /** Tokens of the route: the first one is sold, the last one is bought. */
  readonly tokens: readonly Hex[];
  readonly steps: readonly SwapStep[];
};

const WORD_DIGITS = 64;
/** amountIn, minOut, recipient, terms, offset of the route, length of the route. */
const HEAD_WORDS = 6;
const ROUTE_OFFSET = 5n * 32n;
const STEP_HEAD_BYTES = 28;

/**
 * Decodes calldata of the router. Only the canonical encoding is accepted, so that this decoder and the contract cannot
 * disagree about a call.
 *
 * @returns undefined where the data is not a well-formed call of `swap`
 */
export function decodeSwap(data: string): DecodedSwap | undefined {
  if (!/^0x[0-9a-f]*$/.test(data) || !data.startsWith(SWAP_SELECTOR)) return undefined;
  const body = data.slice(SWAP_SELECTOR.length);
  if (body.length < HEAD_WORDS * WORD_DIGITS) return undefined;
  const word = (index: number) => BigInt(`0x${body.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS)}`);
  const [recipient, terms, offset, length] = [word(2), word(3), word(4), word(5)];
  if (recipient >> 160n !== 0n || offset !== ROUTE_OFFSET) return undefined;
  const tail = body.slice(HEAD_WORDS * WORD_DIGITS);
  const digits = Number(length) * 2;
  const padded = Math.ceil(digits / WORD_DIGITS) * WORD_DIGITS;
  if (length > 0xffffffn || tail.length !== padded || /[^0]/.test(tail.slice(digits))) return undefined;
  const route = decodeRoute(tail.slice(0, digits));
  if (route === undefined) return undefined;
  return {
    amountIn: word(0),
    minimumOut: word(1),
    recipient: someone(recipient),
    deadline: terms >> 192n,
    sellFeeBps: Number((terms >> 176n) & 0xffffn),
    buyFeeBps: Number((terms >> 160n) & 0xffffn),
    feeRecipient: someone(terms & ((1n << 160n) - 1n)),
    ...route,
  };
}

function someone(account: bigint): Hex | undefined {
  return account === 0n ? undefined : `0x${account.toString(16).padStart(40, "0")}`;
}

/** Route encoding: n u8 | token 20 B × n | steps. Undefined for an incomplete step, or one of an unknown kind. */
function decodeRoute(digits: string): { tokens: Hex[]; steps: SwapStep[] } | undefined {
  const end = digits.length / 2;
  const text = (from: number, bytes: number) => digits.slice(from * 2, (from + bytes) * 2);
  const number = (from: number, bytes: number) => Number.parseInt(text(from, bytes), 16);
  const count = end < 1 ? 0 : number(0, 1);
  if (count < 2 || end < 1 + count * 20) return undefined;
  const tokens = Array.from({ length: count }, (_, index): Hex => `0x${text(1 + index * 20, 20)}`);
  const steps: SwapStep[] = [];
  for (let from = 1 + count * 20; from < end; ) {
    const kind = number(from, 1);
    const size = stepBytes[kind];
    if (size === undefined || from + STEP_HEAD_BYTES + size > end) return undefined;
    steps.push({
      kind,
      flags: number(from + 1, 1),
      src: number(from + 2, 1),
      dst: number(from + 3, 1),
      share: number(from + 4, 4),
      target: `0x${text(from + 8, 20)}`,
      extra: `0x${text(from + STEP_HEAD_BYTES, size)}`,
    });
    from += STEP_HEAD_BYTES + size;
  }
  return { tokens, steps };
}

const word = (value: bigint | string): string => BigInt(value).toString(16).padStart(WORD_DIGITS, "0");

/** The same call with another minimum. @param data a call of `swap` */
export function withMinimum(data: Hex, minimumOut: bigint): Hex {
  const start = SWAP_SELECTOR.length + WORD_DIGITS;
  return `0x${data.slice(2, start)}${word(minimumOut)}${data.slice(start + WORD_DIGITS)}`;
}

/** Calldata of ERC-20's approve(spender, amount). */
export function encodeApprove(spender: string, amount: bigint): Hex {
  return `0x095ea7b3${word(spender)}${word(amount)}`;
}

/** Calldata of ERC-20's allowance(owner, spender). */
export function encodeAllowance(owner: string, spender: string): Hex {
  return `0xdd62ed3e${word(owner)}${word(spender)}`;
}

/** Calldata of ERC-20's balanceOf(account). */
export function encodeBalanceOf(account: string): Hex {
  return `0x70a08231${word(account)}`;
}
