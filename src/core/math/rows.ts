/** Lists of integers of uneven, growing length in one typed array. */
export type Rows = {
  data: Int32Array;
  used: number;
  start: Int32Array;
  length: Int32Array;
  /** By row, the exponent of two of the room that it has; 0 = none beyond its length. */
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

/** Arrays of more elements grow by less: much of the graph would be empty room. */
const LONG = 2 ** 15;
const LONG_GROWTH = 1.125;

/** The same content in an array of at least `size` elements, longer by a factor, so that growth costs O(1) an element. */
export function grown<A extends Growing>(array: A, size: number): A {
  return array.length >= size ? array : longer(array, size);
}

function longer<A extends Growing>(array: A, size: number): A {
  const bigger = new (array.constructor as new (n: number) => A)(roomFor(array, size));
  (bigger.set as (from: Growing) => void).call(bigger, array);
  return bigger;
}

function roomFor({ length }: Growing, size: number): number {
  return Math.max(size, Math.ceil(length * (length < LONG ? 2 : LONG_GROWTH)));
}

/**
 * The same as `grown` for an array that nobody else holds: it is empty afterwards. Its memory is given back at once. The runtime
 * frees a typed array that is merely dropped when it next looks for garbage in all of its heap: until then a market that grows pool
 * by pool would hold several times what it needs, in pieces that leave gaps.
 */
export function enlarged<A extends Growing>(array: A, size: number): A {
  return array.length >= size ? array : resized(array, roomFor(array, size));
}

/** The first `size` elements, in an array without room for more; `array` is empty afterwards, as after `enlarged`. */
export function cut<A extends Growing>(array: A, size: number): A {
  return array.length <= size ? array : resized(array, size);
}

function resized<A extends Growing>(array: A, size: number): A {
  const buffer = (array.buffer as ArrayBuffer).transfer(size * array.BYTES_PER_ELEMENT);
  return new (array.constructor as new (buffer: ArrayBuffer) => A)(buffer);
}

/** Values for rows, each with the row that it goes to. */
export type Entries = { readonly rows: Int32Array; readonly values: Int32Array; readonly count: number };

/**
 * Adds many values at once, in the order given: `count` rows are laid out one after the other, without room for more, so
 * that none has to move as it grows.
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

/** Gives each row the room that it will need; all are empty then. */
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

/** Adds `value` at the end of `row`; a full row moves to the end of the store with twice the room. */
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

/** Moves a row to the end of the store, with a room of 2^exponent. */
function moveRow(rows: Rows, row: number, exponent: number): void {
  const room = 2 ** exponent;
  rows.data = enlarged(rows.data, rows.used + room);
  const start = rows.start[row]!;
  rows.data.copyWithin(rows.used, start, start + rows.length[row]!);
  rows.start[row] = rows.used;
  rows.room[row] = exponent;
  rows.used += room;
}
