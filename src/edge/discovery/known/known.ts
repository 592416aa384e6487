import { enlarged } from "../../../core/math/rows.ts";
import type { Address, Pool, PoolId } from "../../../core/types.ts";
import { createKeyTable, isKey, type KeyTable } from "./key-table.ts";
import { createShapes, type Shapes } from "./shapes.ts";

/**
 * Every pool that was found, whether in the market or not. Most pools are fully described by an id, two tokens and a
 * shape that many pools share. Those take about 90 bytes each in typed arrays, and a record is built whenever one is
 * read.
 */
export type Known = {
  /** @returns whether the pool was unknown */
  add(pool: Pool): boolean;
  get(id: PoolId): Pool | undefined;
  /** The newest pools of a token, at most `count`. */
  newest(token: Address, count: number): Pool[];
  /** All pools of two tokens. */
  between(a: Address, b: Address): Pool[];
  all(): Iterable<Pool>;
  size(): number;
  /** Number of distinct tokens of all pools. */
  tokens(): number;
};

/** A growing array of integers. */
type Column = { values: Int32Array };

type Table = {
  readonly ids: KeyTable;
  readonly tokens: KeyTable;
  readonly shapes: Shapes;
  /** By pool: the number of its shape. By pool and side, at 2 · pool + side: the number of the token. */
  readonly shape: Column;
  readonly sides: Column;
  /** By place in `sides`: the place of the same token in the pool before; -1 for none. */
  readonly before: Column;
  /** By token: the place in `sides` in its newest pool, and the number of its pools. */
  readonly newest: Column;
  readonly counts: Column;
};

export function createKnown(): Known {
  const table: Table = {
    ...{ ids: createKeyTable(), tokens: createKeyTable(), shapes: createShapes() },
    ...{ shape: column(), sides: column(), before: column(), newest: column(), counts: column() },
  };
  const others = createOthers((token) => isKey(token) && table.tokens.find(token) >= 0);
  return {
    add(pool) {
      if (others.get(pool.id) !== undefined || indexOf(table, pool.id) >= 0) return false;
      const shape = isPlain(pool) ? table.shapes.of(pool) : undefined;
      if (shape === undefined) others.add(pool);
      else {
        put(table, pool, shape);
        others.leave(pool.tokens);
      }
      return true;
    },
    get(id) {
      const index = indexOf(table, id);
      return index < 0 ? others.get(id) : poolAt(table, index);
    },
    newest(token, count) {
      const found = others.of(token).slice(-count);
      for (const index of ofToken(table, token)) {
        if (found.length >= count) break;
        found.push(poolAt(table, index));
      }
      return found;
    },
    between: (a, b) => [
      ...others.of(a).filter(({ tokens }) => tokens.includes(b)),
      ...betweenIn(table, a, b).map((index) => poolAt(table, index)),
    ],
    *all() {
      for (let index = 0; index < table.ids.size(); index++) yield poolAt(table, index);
      yield* others.all();
    },
    size: () => table.ids.size() + others.size(),
    tokens: () => table.tokens.size() + others.tokens(),
  };
}

/**
 * Holds pools that do not fit the arrays, as records.
 *
 * @param isElsewhere whether a token is already counted in the table of the arrays
 */
function createOthers(isElsewhere: (token: Address) => boolean) {
  const pools = new Map<PoolId, Pool>();
  const byToken = new Map<Address, Pool[]>();
  const tokens = new Set<Address>();
  return {
    add(pool: Pool): void {
      pools.set(pool.id, pool);
      for (const token of pool.tokens) {
        const list = byToken.get(token);
        if (list === undefined) byToken.set(token, [pool]);
        else list.push(pool);
        if (!isElsewhere(token)) tokens.add(token);
      }
    },
    get: (id: PoolId) => pools.get(id),
    of: (token: Address): Pool[] => byToken.get(token) ?? [],
    /** Stops counting tokens, which the table of the arrays counts now. */
    leave(gone: readonly Address[]): void {
      for (const token of gone) tokens.delete(token);
    },
    all: () => pools.values(),
    size: () => pools.size,
    tokens: () => tokens.size,
  };
}

function indexOf({ ids }: Table, id: PoolId): number {
  return isKey(id) ? ids.find(id) : -1;
}

function betweenIn(table: Table, a: Address, b: Address): number[] {
  const [few, many] = countOf(table, a) < countOf(table, b) ? [a, b] : [b, a];
  const other = isKey(many) ? table.tokens.find(many) : -1;
  const { values: sides } = table.sides;
  const has = (index: number) => sides[2 * index] === other || sides[2 * index + 1] === other;
  return other < 0 ? [] : [...ofToken(table, few)].filter(has);
}

function isPlain({ id, tokens, stateIds }: Pool): boolean {
  const [a, b] = tokens;
  return isKey(id) && tokens.length === 2 && a !== b && tokens.every(isKey) && stateIds.join() === id;
}

function put(table: Table, { id, tokens }: Pool, shape: number): void {
  const index = table.ids.put(id);
  set(table.shape, index, shape);
  for (const [k, token] of tokens.entries()) {
    const place = 2 * index + k;
    const known = table.tokens.size();
    const number = table.tokens.put(token);
    const isNew = number === known;
    set(table.sides, place, number);
    set(table.before, place, isNew ? -1 : table.newest.values[number]!);
    set(table.newest, number, place);
    set(table.counts, number, isNew ? 1 : table.counts.values[number]! + 1);
  }
}

function poolAt({ ids, tokens, shapes, shape, sides }: Table, index: number): Pool {
  const id = ids.name(index);
  const of = [0, 1].map((k) => tokens.name(sides.values[2 * index + k]!));
  return shapes.pool(shape.values[index]!, id, of);
}

/** Pools of a token, the newest first. */
function* ofToken({ tokens, newest, before }: Table, token: Address): Generator<number> {
  const number = isKey(token) ? tokens.find(token) : -1;
  if (number < 0) return;
  for (let place = newest.values[number]!; place >= 0; place = before.values[place]!) yield place >> 1;
}

function countOf({ tokens, counts }: Table, token: Address): number {
  const number = isKey(token) ? tokens.find(token) : -1;
  return number < 0 ? 0 : counts.values[number]!;
}

function column(): Column {
  return { values: new Int32Array(1024) };
}

function set(list: Column, index: number, value: number): void {
  list.values = enlarged(list.values, index + 1);
  list.values[index] = value;
}
