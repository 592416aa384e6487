import type { Logger } from "pino";
import { hasWords, intAt, uintAt, word } from "../../core/abi.ts";
import { wordBounds, wordsAround } from "../../core/math/concentrated/tick-words.ts";
import type { BitmapReads, PairSource } from "../../core/protocol.ts";
import type { Address, Call, Hex } from "../../core/types.ts";
import { createSlots, type Slots } from "../node/pace/slots.ts";
import type { Pinned } from "../node/pinned.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { BlockRef } from "../node/types.ts";
import { createForms } from "./forms.ts";
import {
  decodeNext,
  enumerateData,
  findData,
  type IndexPair,
  type Reader,
  readData,
  ticksData,
} from "./layout.ts";
import { type Budget, inSlices } from "./slices.ts";

/** A pool that a factory named. Balances are those of the pair's tokens in ascending order, at most 2^128 - 1. */
export type Found = {
  readonly source: number;
  readonly key: number | undefined;
  /** The pair's tokens as the request named them, ascending. */
  readonly tokens: readonly [Address, Address];
  readonly named: Hex;
  readonly balances: readonly [bigint, bigint];
};

/** A pair of a factory that numbers its pairs. */
export type Enumerated = {
  /** The pair's address, padded to a word as the factory answers it. */
  readonly named: Hex;
  readonly tokens: readonly [Address, Address];
  readonly reserves: readonly [bigint, bigint];
};

export type FindRequest = {
  readonly sources: readonly PairSource[];
  readonly tokens: readonly Address[];
  readonly pairs: readonly IndexPair[];
};

/**
 * Reads many pools by one request. Every method rejects with NodeFailure. The kind `unsupported` says that no endpoint
 * runs the lens, so that the caller has to make single calls instead.
 */
export type Lens = {
  /** Whether an endpoint may run the lens: false for a minute after every form was refused. */
  isUsable(): boolean;
  find(request: FindRequest, block: BlockRef): Promise<Found[]>;
  /** By pool, the answers that its design's `load` takes; undefined for a pool that one call cannot read. */
  ticks(pools: readonly BitmapReads[], block: BlockRef): Promise<(Hex[] | undefined)[]>;
  /** Answers of calls in order; one that fails is "0x". */
  read(calls: readonly Call[], block: BlockRef): Promise<Hex[]>;
  /** Pairs `start` … `last`, fewer where the factory has fewer. */
  enumerate(factory: Address, range: readonly [number, number], block: BlockRef): Promise<Enumerated[]>;
};

/** Estimates in gas. They only decide how many items one request holds. */
const GAS = { start: 40_000_000, candidate: 6_000, word: 3_000, pool: 300_000, call: 30_000, pair: 20_000 };
/** Gas limit of each call that `read` makes. */
const GAS_EACH = 3_000_000;
const LANES = 3;

type LensLimits = {
  /** Requests of a list under way at once. With 1, all requests of a list but the last are full. */
  readonly lanes?: number;
  /** Requests of all lists under way at once. */
  readonly atOnce?: number;
  /** Most gas of one request, by estimate. */
  readonly mostGas?: number;
};

/**
 * Limits for pools of the hub tokens after the first, and for the background. Where a node processes requests in
 * sequence, those of callers wait for as many as are under way. `npm run bench:bootstrap -- --only first` shows what
 * more of them trade: the time of an unknown token for that of the listed tokens' pools.
 */
export const PATIENT: LensLimits = { atOnce: 2 };
export const QUIET: LensLimits = { atOnce: 4 };

export function createLens(
  pinned: Pinned,
  log: Logger,
  { lanes = LANES, atOnce, mostGas = Number.POSITIVE_INFINITY }: LensLimits = {},
): Lens {
  const { ask, isUsable } = createForms(pinned, log);
  const budget = mostGas < GAS.start ? { gas: mostGas, most: mostGas } : { gas: GAS.start };
  const slicing = { budget, lanes, slots: atOnce === undefined ? undefined : createSlots(atOnce) };
  return {
    isUsable,
    find: find({ ask, slicing }),
    ticks: ticks({ ask, slicing }),
    read: read({ ask, slicing }),
    enumerate: enumerate({ ask, slicing }),
  };
}

type Context = {
  readonly ask: (data: Hex, block: BlockRef) => Promise<Hex>;
  readonly slicing: { readonly budget: Budget; readonly lanes: number; readonly slots: Slots | undefined };
};

function find({ ask, slicing }: Context): Lens["find"] {
  return async ({ sources, tokens, pairs }, block) => {
    const width = sources.reduce((sum, { keys }) => sum + Math.max(1, keys.length), 0);
    const lists = await inSlices<IndexPair, Found[]>({
      ...{ ...slicing, items: pairs, gasOf: () => GAS.candidate * width },
      ask: async (slice) => {
        const { next, list } = decodeNext(await ask(findData(sources, tokens, slice), block));
        const found = readFound(list, { sources, tokens, pairs: slice });
        return { done: next, results: slice.map((_, k) => found.get(k) ?? []) };
      },
    });
    return lists.flatMap((list) => list ?? []);
  };
}

function ticks({ ask, slicing }: Context): Lens["ticks"] {
  return (pools, block) =>
    inSlices<BitmapReads, Hex[]>({
      ...{ ...slicing, items: pools, gasOf: gasOfPool },
      ask: async (slice) => {
        const { next, list } = decodeNext(await ask(ticksData(slice), block));
        return { done: next, results: slice.slice(0, next).map((pool) => readPool(list, pool)) };
      },
    });
}

function read({ ask, slicing }: Context): Lens["read"] {
  return async (calls, block) => {
    const answers = await inSlices<Call, Hex>({
      ...{ ...slicing, items: calls, gasOf: () => GAS.call },
      ask: async (slice) => {
        const { list } = decodeNext(await ask(readData(slice, GAS_EACH), block));
        const results: Hex[] = [];
        while (!list.isAtEnd()) results.push(list.bytes(list.number(3)));
        return { done: results.length, results };
      },
    });
    // A single call may need more gas than any endpoint gives. Where every call fails so, the endpoints are the reason.
    if (calls.length > 0 && answers.every((answer) => answer === undefined))
      throw new NodeFailure("range", "no call could be made by the lens");
    return answers.map((answer) => answer ?? "0x");
  };
}

function enumerate({ ask, slicing }: Context): Lens["enumerate"] {
  return async (factory, [start, last], block) => {
    const found = await inSlices<number, Enumerated>({
      ...{ ...slicing, items: Array.from({ length: last - start + 1 }, (_, k) => start + k) },
      gasOf: () => GAS.pair,
      isRange: true,
      ask: async (slice) => {
        const data = enumerateData(factory, slice[0] as number, slice.at(-1) as number);
        const { list } = decodeNext(await ask(data, block));
        const results: Enumerated[] = [];
        while (!list.isAtEnd()) results.push(readPair(list));
        return { done: results.length, results };
      },
    });
    return found.filter((pair) => pair !== undefined);
  };
}

function gasOfPool({ spacing }: BitmapReads): number {
  const { lowest, highest, reach } = wordBounds(spacing);
  return GAS.pool + GAS.word * Math.min(highest - lowest, 2 * reach);
}

/** Pools that the lens found, by the index of their pair in the request. */
function readFound(list: Reader, { sources, tokens, pairs }: FindRequest): Map<number, Found[]> {
  const candidates = sources.flatMap(({ keys }, source) => {
    const asked: readonly (number | undefined)[] = keys.length === 0 ? [undefined] : keys;
    return asked.map((key) => ({ source, key }));
  });
  const found = new Map<number, Found[]>();
  while (!list.isAtEnd()) {
    const candidate = list.number(4);
    const named = list.bytes(32);
    const balances = [BigInt(list.bytes(16)), BigInt(list.bytes(16))] as const;
    const pair = Math.floor(candidate / candidates.length);
    const indexes = pairs[pair];
    const asked = candidates[candidate % candidates.length];
    if (indexes === undefined || asked === undefined)
      throw new NodeFailure("refused", "a candidate of the lens that was not asked for");
    const [a, b] = indexes.map((index) => tokens[index] as Address) as [Address, Address];
    const one = { ...asked, tokens: a < b ? ([a, b] as const) : ([b, a] as const), named, balances };
    found.set(pair, [...(found.get(pair) ?? []), one]);
  }
  return found;
}

const EMPTY_WORD: Hex = `0x${word(0n)}`;

/** A pool's answers in the form that single calls give: heads, bitmap words (zero ones too) and ticks. */
function readPool(list: Reader, { heads, spacing, kept }: BitmapReads): Hex[] {
  list.number(3);
  const answers: Hex[] = heads.map(() => list.bytes(list.number(3)));
  const values = new Map<number, Hex>();
  for (let left = list.number(2); left > 0; left--) {
    const unsigned = list.number(2);
    values.set(unsigned >= 2 ** 15 ? unsigned - 2 ** 16 : unsigned, list.bytes(32));
  }
  const ticks = Array.from({ length: list.number(2) }, () => list.bytes(32 * kept));
  const [head = "0x"] = answers;
  if (!hasWords(head, 2) || uintAt(head, 0) === 0n) return answers;
  const { first, last } = wordsAround(spacing, Number(intAt(head, 1)));
  for (let k = first; k <= last; k++) answers.push(values.get(k) ?? EMPTY_WORD);
  return [...answers, ...ticks];
}

function readPair(list: Reader): Enumerated {
  const named: Hex = `0x${word(BigInt(list.bytes(20)))}`;
  const tokens = [list.bytes(20), list.bytes(20)] as const;
  return { named, tokens, reserves: [BigInt(list.bytes(16)), BigInt(list.bytes(16))] };
}
