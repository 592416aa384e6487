/** A jagged array: growing lists of integers, stored in one typed array. */
export type Rows = {
  data: Int32Array;
  used: number;
  start: Int32Array;
  length: Int32Array;
  /** Per row, log2 of its capacity; 0 = no capacity beyond its length. */
  room: Uint8Array;
};

export function emptyRows(): Rows {
  return {
    data: new Int32Array(64),
    used: 0,
    start: new Int32Array(16),
    length: new Int32Array(16),
    room: new Uint8Array(16),
  };
}

/**
 * Growth factor of arrays with at least `LONG` elements; shorter arrays double. A smaller factor wastes less memory
 * and copies more often.
 */
const LONG = 2 ** 15;
const LONG_GROWTH = 1.125;

/**
 * The same content in an array of at least `size` elements. Capacity grows by a factor, so that appending costs
 * amortised O(1) per element. `array` itself stays valid.
 */
export function grown<A extends Growing>(array: A, size: number): A {
  return array.length >= size ? array : longer(array, size);
}

/** Grows several arrays of an object alike. */
export function growAll<K extends string>(
  arrays: Record<K, Growing>,
  keys: readonly K[],
  size: number,
): void {
  for (const key of keys) arrays[key] = grown(arrays[key], size);
}

function longer<A extends Growing>(array: A, size: number): A {
  const bigger = new (array.constructor as new (n: number) => A)(roomFor(array, size));
  (bigger.set as (from: Growing) => void).call(bigger, array);
  return bigger;
}

function roomFor({ length }: Growing, size: number): number {
  return Math.max(size, Math.ceil(length * (length < LONG ? 2 : LONG_GROWTH)));
}

/** The content of `source`, in the array `into` if it has the same length, so that nothing is allocated. */
export function copied<A extends Growing>(source: A, into: A | undefined): A {
  if (into === undefined || into.length !== source.length) return source.slice() as A;
  (into.set as (from: Growing) => void).call(into, source);
  return into;
}

/**
 * As `grown`, for an array with a single owner: `array` is detached, and its memory is released at once.
 *
 * A typed array that is merely dropped keeps its memory until the next full garbage collection. While a market grows
 * pool by pool, such arrays would add up to several times the memory needed and fragment it.
 */
export function enlarged<A extends Growing>(array: A, size: number): A {
  return array.length >= size ? array : resized(array, roomFor(array, size));
}

/** The first `size` elements, without spare capacity. `array` is detached if it was longer, as by `enlarged`. */
export function cut<A extends Growing>(array: A, size: number): A {
  return array.length <= size ? array : resized(array, size);
}

function resized<A extends Growing>(array: A, size: number): A {
  const buffer = (array.buffer as ArrayBuffer).transfer(size * array.BYTES_PER_ELEMENT);
  return new (array.constructor as new (buffer: ArrayBuffer) => A)(buffer);
}

/** Values to append, each with its row; `count` entries are used. */
export type Entries = { readonly rows: Int32Array; readonly values: Int32Array; readonly count: number };

/**
 * Appends many values at once, in the order given. All `count` rows are laid out anew without spare capacity, so no
 * row has to move while it grows. O(count + size of the rows and of `added`).
 */
export function appendAll(rows: Rows, count: number, added: Entries): void {
  const before = { ...rows };
  placeRows(rows, count, added);
  const { data, start, length } = rows;
  const kept = Math.min(count, before.length.length);
  for (let row = 0; row < kept; row++) {
    const from = before.start[row]!;
    for (let k = before.length[row]!; k > 0; k--)
      data[start[row]! + length[row]!] = before.data[from + length[row]!++]!;
  }
  for (let k = 0; k < added.count; k++) {
    const row = added.rows[k]!;
    data[start[row]! + length[row]!++] = added.values[k]!;
  }
}

/** Allocates each row its final length, and leaves all rows empty. */
function placeRows(rows: Rows, count: number, { rows: into, count: values }: Entries): void {
  const length = new Int32Array(count);
  length.set(rows.length.subarray(0, count));
  for (let k = 0; k < values; k++) length[into[k]!]!++;
  rows.start = new Int32Array(count);
  rows.used = 0;
  for (let row = 0; row < count; row++) {
    rows.start[row] = rows.used;
    rows.used += length[row]!;
  }
  rows.length = length.fill(0);
  rows.data = new Int32Array(rows.used);
  rows.room = new Uint8Array(count);
}

type Growing = Int32Array | Uint32Array | Float32Array | Float64Array | Uint8Array | Uint16Array;

/** Appends `value` to `row` in amortised O(1); a full row moves to the end of the store with twice the capacity. */
export function append(rows: Rows, row: number, value: number): void {
  rows.start = enlarged(rows.start, row + 1);
  rows.length = enlarged(rows.length, row + 1);
  rows.room = enlarged(rows.room, row + 1);
  const length = rows.length[row]!;
  const exponent = rows.room[row]!;
  if (exponent === 0 || length === 2 ** exponent) moveRow(rows, row, 32 - Math.clz32(length | 1));
  rows.data[rows.start[row]! + length] = value;
  rows.length[row] = length + 1;
}

/** Moves a row to the end of the store, with a capacity of 2^exponent. */
function moveRow(rows: Rows, row: number, exponent: number): void {
  const room = 2 ** exponent;
  rows.data = enlarged(rows.data, rows.used + room);
  const start = rows.start[row]!;
  rows.data.copyWithin(rows.used, start, start + rows.length[row]!);
  rows.start[row] = rows.used;
  rows.room[row] = exponent;
  rows.used += room;
}
