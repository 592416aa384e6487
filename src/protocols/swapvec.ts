import type { Protocol } from "../core/protocol.ts";
import type { StateId } from "../core/types.ts";
import type { Subject } from "./subject.ts";

/** Recorded swaps in the schema swapvec/1: a pool's state, the swaps, and the contract's answers. */

export type VectorSwap = {
  readonly kind: "exactIn" | "exactOut";
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** null together with an `error`: the swap must fail. */
  readonly amountIn: bigint | null;
  readonly amountOut: bigint | null;
  readonly mustFail: boolean;
  /** All fields as written, for fields that only one design has. */
  readonly fields: Fields;
};

export type Vector = {
  readonly id: string;
  readonly protocol: string;
  /** Lower-case addresses; names such as `token0` in synthetic pools. */
  readonly tokens: readonly string[];
  readonly state: Fields;
  readonly pool: Fields;
  /** Whether swaps follow one another on the changing state; if not, each is on the given state. */
  readonly sequential: boolean;
  /** Origin of the answers: chain, contract-test, port or unstated. */
  readonly truthClass: string;
  readonly swaps: readonly VectorSwap[];
};

export type Fields = Readonly<Record<string, unknown>>;

/** Amounts that a design answers; undefined if it refuses. */
type Answer = { readonly amountIn: bigint; readonly amountOut: bigint } | undefined;

/** Runs one swap; returns what is wrong with the answer, or undefined if it is right. */
export type Trial = (swap: VectorSwap) => string | undefined;

/** A protocol's part of the vectors command. */
export type VectorSuite = {
  /** Values of `Vector.protocol` that this folder's maths covers. */
  readonly names: readonly string[];
  /**
   * The trial of a vector's swaps; it keeps the state between them if they are sequential.
   *
   * @throws NotUnderstood if a field is missing, unknown or malformed: the whole vector then fails
   */
  open(vector: Vector): Trial;
};

/** A vector that cannot be interpreted. It is not a wrong answer, but counts as one. */
export class NotUnderstood extends Error {
  override readonly name = "NotUnderstood";
}

/** The suite of a design without recorded swaps: it covers no name. */
export const nothingRecorded: VectorSuite = {
  names: [],
  open: () => {
    throw new NotUnderstood("no swaps of this design were recorded");
  },
};

/** A file that does not follow the schema. */
export class NotVectors extends Error {
  override readonly name = "NotVectors";
}

/**
 * @param text JSON of the schema swapvec/1; integers as numbers of any size or as decimal strings
 * @throws NotVectors if it is anything else
 */
export function parseVectors(text: string): readonly Vector[] {
  let file: unknown;
  try {
    // An integer above 2^53 would lose digits as a number, so its source text is kept.
    file = JSON.parse(text, (_key, value, context?: { source?: string }) =>
      typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
        ? context?.source
        : value,
    );
  } catch (cause) {
    throw new NotVectors("not JSON", { cause });
  }
  if (!isFields(file) || file.schema !== "swapvec/1" || !Array.isArray(file.vectors))
    throw new NotVectors("not of the schema swapvec/1");
  return file.vectors.map(vectorOf);
}

function vectorOf(raw: unknown): Vector {
  if (!isFields(raw) || typeof raw.id !== "string" || typeof raw.protocol !== "string")
    throw new NotVectors("a vector without id or protocol");
  const { id, protocol, pool, swaps } = raw;
  if (!isFields(pool) || !isFields(pool.state) || !Array.isArray(pool.tokens) || !Array.isArray(swaps))
    throw new NotVectors(`${id}: a vector without pool, state, tokens or swaps`);
  return {
    id,
    protocol,
    tokens: pool.tokens.map((token) => String(isFields(token) ? token.address : token).toLowerCase()),
    state: pool.state,
    pool,
    sequential: raw.sequential === true,
    truthClass: typeof raw.truthClass === "string" ? raw.truthClass : "unstated",
    swaps: swaps.map((swap) => swapOf(id, swap)),
  };
}

function swapOf(id: string, raw: unknown): VectorSwap {
  if (!isFields(raw) || (raw.kind !== "exactIn" && raw.kind !== "exactOut"))
    throw new NotVectors(`${id}: a swap that is neither exactIn nor exactOut`);
  const amount = (value: unknown) => (value === null || value === undefined ? null : integer(value));
  try {
    const [amountIn, amountOut] = [amount(raw.amountIn), amount(raw.amountOut)];
    const mustFail = typeof raw.error === "string" && (amountIn === null || amountOut === null);
    return {
      kind: raw.kind,
      tokenIn: String(raw.tokenIn).toLowerCase(),
      tokenOut: String(raw.tokenOut).toLowerCase(),
      amountIn,
      amountOut,
      mustFail,
      fields: raw,
    };
  } catch (cause) {
    throw new NotVectors(`${id}: an amount that is no integer`, { cause });
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws NotUnderstood if the value is neither an integer nor its decimal string */
export function integer(value: unknown): bigint {
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  throw new NotUnderstood(`not an integer: ${JSON.stringify(value)}`);
}

/** @throws NotUnderstood if it is not a list */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new NotUnderstood(`not a list: ${JSON.stringify(value)}`);
}

/**
 * The fields, after checking that none is missing and none unknown: an unknown field might change the answer.
 *
 * @throws NotUnderstood naming the fields at fault
 */
export function understood(
  value: unknown,
  needed: readonly string[],
  optional: readonly string[] = [],
): Fields {
  if (!isFields(value)) throw new NotUnderstood(`not a record: ${JSON.stringify(value)}`);
  const missing = needed.filter((name) => value[name] === undefined);
  const unknown = Object.keys(value).filter((name) => !needed.includes(name) && !optional.includes(name));
  if (missing.length > 0) throw new NotUnderstood(`missing: ${missing.join(", ")}`);
  if (unknown.length > 0) throw new NotUnderstood(`unknown: ${unknown.join(", ")}`);
  return value;
}

/** @returns index of the token in the vector's list. @throws NotUnderstood if it is not in the list */
export function tokenIndex(vector: Vector, token: string): number {
  const index = vector.tokens.indexOf(token);
  if (index < 0) throw new NotUnderstood(`token ${token} is not the pool's`);
  return index;
}

/** The given amount of a swap. @throws NotUnderstood if it is missing */
export function asked(swap: VectorSwap): bigint {
  const amount = swap.kind === "exactIn" ? swap.amountIn : swap.amountOut;
  if (amount === null) throw new NotUnderstood("the amount asked is not given");
  return amount;
}

/** Compares to the last unit. A refusal counts as an answer of 0. */
export function complaint(swap: VectorSwap, answer: Answer): string | undefined {
  if (swap.mustFail) return answer === undefined ? undefined : `must fail: ${swap.fields.error}`;
  const expected = swap.kind === "exactIn" ? swap.amountOut : swap.amountIn;
  if (expected === null) throw new NotUnderstood("the answer is not given, and no error either");
  const got = (swap.kind === "exactIn" ? answer?.amountOut : answer?.amountIn) ?? 0n;
  return got === expected ? undefined : `expected ${expected}, got ${got}`;
}

/** The trial of a design whose vectors are compared by `quote`. */
export function quoteTrial(protocol: Protocol, vector: Vector, subject: Subject): Trial {
  const states = new Map<StateId, unknown>(subject.states);
  return (swap) => {
    const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
    const side = swap.kind === "exactIn" ? "in" : "out";
    const fill = protocol.quote(states, subject.pool, i, j, asked(swap), side, subject.at);
    if (vector.sequential) for (const [id, state] of fill?.writes ?? []) states.set(id, state);
    return complaint(swap, fill);
  };
}
