/**
 * Binary encoding of plain data: the form in which states are sent to threads and machines and stored on disk.
 *
 * First byte: the schema version. Then one value: a tag byte and its body.
 *
 * | tag | value                                  | body                                                   |
 * |-----|----------------------------------------|--------------------------------------------------------|
 * | 0…2 | null, false, true                      | none                                                   |
 * | 3   | integer ≥ 0, safe                      | varint                                                 |
 * | 4   | integer < 0, safe                      | varint of -1 - value                                   |
 * | 5   | any other number                       | IEEE 754 double, big-endian                            |
 * | 6   | bigint ≥ 0                             | varint byte count, bytes big-endian                    |
 * | 7   | bigint < 0                             | the same of -1 - value                                 |
 * | 8   | string                                 | varint byte count, UTF-8                               |
 * | 9   | array                                  | varint count, values                                   |
 * | 10  | record                                 | varint count, then key (as 8 without tag) and value    |
 *
 * Keys are written in code-unit order, so equal data gives equal bytes.
 */
export const CODEC_VERSION = 1;

export const TAG = {
  null: 0,
  false: 1,
  true: 2,
  natural: 3,
  negative: 4,
  double: 5,
  bigNatural: 6,
  bigNegative: 7,
  string: 8,
  array: 9,
  record: 10,
} as const;

/** Maximum nesting when encoding and decoding: states are flat, and hostile bytes must not exhaust the stack. */
export const MAX_DEPTH = 64;
