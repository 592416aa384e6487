import type { Address, Hex } from "../types.ts";
import { extraBytes } from "./kinds.ts";

/** Bits of a step's second byte. */
export const stepFlags = {
  /** The pool's first token is sold, or the meaning that the kind gives to this bit. */
  zeroForOne: 0x01,
  /** The pool already holds its input: the previous step paid it. */
  prefunded: 0x02,
  /** The pool pays the recipient directly. */
  toRecipient: 0x04,
  /** The pool pays the target of the next step. */
  toNext: 0x08,
} as const;

/** kind u8 | flags u8 | src u8 | dst u8 | share u32 | target 20 B */
export const HEAD_BYTES = 28;

/** One step in the layout of route bytes. */
export type WireStep = {
  readonly kind: number;
  readonly flags: number;
  /** Index of the token sold in the route's token table. */
  readonly src: number;
  readonly dst: number;
  /** Share of the register's balance that is sold, floor(balance·share / 2^32); 0 = the whole balance. */
  readonly share: number;
  readonly target: Address;
  readonly extra: Hex;
};

/** nTokens u8 | tokens 20 B each | steps. The first token is the one sold, the last the one bought. */
export type WireRoute = { readonly tokens: readonly Address[]; readonly steps: readonly WireStep[] };

function fixed(value: number, bytes: number): string {
  const text = value.toString(16);
  if (!Number.isInteger(value) || value < 0 || text.length > bytes * 2)
    throw new Error(`${value} does not fit ${bytes} bytes`);
  return text.padStart(bytes * 2, "0");
}

/** @throws Error if a number does not fit its field, or a step's extra bytes do not have the length of its kind */
export function packRoute(route: WireRoute): Hex {
  let text = fixed(route.tokens.length, 1);
  for (const token of route.tokens) text += token.slice(2);
  for (const step of route.steps) {
    const extra = step.extra.slice(2);
    if (extra.length !== (extraBytes[step.kind] ?? -1) * 2)
      throw new Error(`a step of kind ${step.kind} has ${extra.length / 2} extra bytes`);
    text += fixed(step.kind, 1) + fixed(step.flags, 1) + fixed(step.src, 1) + fixed(step.dst, 1);
    text += fixed(step.share, 4) + step.target.slice(2) + extra;
  }
  return `0x${text}`;
}

/** @throws Error if the bytes end within the table or a step, or a kind is unknown */
export function unpackRoute(bytes: Hex): WireRoute {
  const end = bytes.length / 2 - 1;
  const read = (from: number, size: number): string => {
    if (from + size > end) throw new Error(`the route ends at byte ${end}, within ${from}…${from + size}`);
    return bytes.slice(2 + from * 2, 2 + (from + size) * 2);
  };
  const number = (from: number, size: number): number => Number.parseInt(read(from, size), 16);
  const count = number(0, 1);
  const tokens = Array.from({ length: count }, (_, index): Address => `0x${read(1 + index * 20, 20)}`);
  const steps: WireStep[] = [];
  for (let from = 1 + count * 20; from < end; ) {
    const kind = number(from, 1);
    const size = extraBytes[kind];
    if (size === undefined) throw new Error(`no step has kind ${kind}`);
    steps.push({
      kind,
      flags: number(from + 1, 1),
      src: number(from + 2, 1),
      dst: number(from + 3, 1),
      share: number(from + 4, 4),
      target: `0x${read(from + 8, 20)}`,
      extra: `0x${read(from + HEAD_BYTES, size)}`,
    });
    from += HEAD_BYTES + size;
  }
  return { tokens, steps };
}
