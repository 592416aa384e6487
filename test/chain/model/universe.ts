import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address, Hex } from "../../../src/core/types.ts";
import { keccak } from "../../../src/edge/node/sealed/keccak.ts";
import { type Family, families } from "./families.ts";
import { bytesOf, create2, create2Frame, hexOf, mix, word } from "./hash.ts";
import { createTokens, type Tokens } from "./tokens.ts";

export type Sizes = {
  readonly v2: number;
  readonly v3: number;
  readonly v4: number;
};

export const MAINNET_SIZES: Sizes = { v2: 400_000, v3: 40_000, v4: 20_000 };

/** The pools of one factory: numbers `first` … `first + count - 1`, in the order of their creation. */
export type Range = Family & { readonly first: number; readonly count: number };

/** Every pool of the fake chain by number, in typed arrays; what is not in them follows from a formula. */
export type Universe = {
  readonly seed: number;
  readonly tokens: Tokens;
  readonly ranges: readonly Range[];
  readonly count: number;
  rangeOf(pool: number): Range;
  /** Token numbers in the contract's order; of v4, hub 0 stands for the native coin. */
  pair(pool: number): readonly [number, number];
  /** The same as addresses, the native coin as zero. */
  pairAddresses(pool: number): readonly [Address, Address];
  /** Fee in parts per million and tick spacing. */
  tier(pool: number): readonly [number, number];
  /** Address of the contract; of v4: the pool id. */
  key(pool: number): Hex;
  /** The pool with this address or id. */
  byKey(key: Hex): number | undefined;
  /** 0: of two hubs; 1: of a hub and a listed token; 2: of the long tail. */
  rank(pool: number): 0 | 1 | 2;
};

export const ZERO: Address = `0x${"00".repeat(20)}`;

/** Builds the arrays. The hashes of 440,000 addresses take seconds: they are kept in the system's folder for temporary files. */
export function createUniverse(seed: number, sizes: Sizes): Universe {
  const tokens = createTokens(seed, Math.ceil(sizes.v2 * 1.02) + 1000);
  const ranges = rangesOf(sizes);
  const count = ranges.reduce((sum, range) => sum + range.count, 0);
  const sides = new Uint32Array(count * 2);
  const tiers = new Uint8Array(count);
  for (const range of ranges) fill({ seed, tokens, range, sides, tiers });
  const rangeOf = (pool: number) => ranges.findLast(({ first }) => first <= pool) as Range;
  const base = {
    seed,
    tokens,
    ranges,
    count,
    rangeOf,
    pair: (pool: number) => [sides[pool * 2]!, sides[pool * 2 + 1]!] as const,
    pairAddresses(pool: number) {
      const isV4 = rangeOf(pool).kind === "v4";
      const side = (n: number) => (isV4 && n === 0 ? ZERO : tokens.address(n));
      return [side(sides[pool * 2]!), side(sides[pool * 2 + 1]!)] as const;
    },
    tier: (pool: number) => rangeOf(pool).tiers[tiers[pool]!]!,
    rank(pool: number) {
      const most = Math.max(sides[pool * 2]!, sides[pool * 2 + 1]!);
      return most < tokens.hubs ? 0 : most < tokens.listed ? 1 : 2;
    },
  } as const;
  const keys = keysOf(base, sizes);
  const table = tableOf(keys, count);
  return {
    ...base,
    key: (pool) => hexOf(keyAt(keys, pool, rangeOf(pool).kind === "v4" ? 32 : 20)),
    byKey: (key) => find(keys, table, bytesOf(key)),
  };
}

function rangesOf(sizes: Sizes): Range[] {
  const ranges: Range[] = [];
  let first = 0;
  for (const family of families) {
    const count = Math.floor((sizes[family.kind] * family.share) / 1000);
    ranges.push({ ...family, first, count });
    first += count;
  }
  return ranges;
}

type Filling = {
  readonly seed: number;
  readonly tokens: Tokens;
  readonly range: Range;
  readonly sides: Uint32Array;
  readonly tiers: Uint8Array;
};

/** Tokens that others are traded against, in that order of preference. */
const MAIN = 4;

/** Chooses the pairs of one factory: hubs with each other, listed tokens with hubs, then the tail with one hub each. */
function fill({ seed, tokens, range, sides, tiers }: Filling): void {
  const salt = range.first + 1;
  const order = shuffled(mix(seed, salt), range.count);
  let n = 0;
  const put = (a: number, b: number, tier: number) => {
    if (n >= range.count) return;
    const pool = range.first + (order[n++] as number);
    const isFirst = (range.kind === "v4" && a === 0) || tokens.address(a) < tokens.address(b);
    sides[pool * 2] = isFirst ? a : b;
    sides[pool * 2 + 1] = isFirst ? b : a;
    tiers[pool] = tier;
  };
  for (let a = 0; a < tokens.hubs; a++) {
    for (let b = a + 1; b < tokens.hubs; b++) {
      for (let tier = 0; tier < range.tiers.length; tier++) {
        const isMade = b < 6 || mix(seed, salt, a, b, tier) % (a === 0 ? 2 : 10) === 0;
        if (isMade || (a === 0 && range.tiers.length === 1)) put(a, b, tier);
      }
    }
  }
  for (let b = tokens.hubs; b < tokens.listed; b++) {
    for (let a = 0; a < MAIN; a++) {
      const tier = mix(seed, salt, a, b, 9) % range.tiers.length;
      if (a === 0 || mix(seed, salt, a, b) % 4 === 0) put(a, b, tier);
    }
  }
  for (let b = tokens.listed; n < range.count; b++) {
    const at = mix(seed, salt, b, 3) % 100;
    const hub = at < 88 ? 0 : at < 94 ? 1 : at < 98 ? 2 : 3;
    put(hub, b, range.tiers.length === 1 ? 0 : at % 4 === 0 ? 2 : 3);
  }
}

function shuffled(seed: number, count: number): Uint32Array {
  const order = new Uint32Array(count).map((_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = mix(seed, k) % (k + 1);
    const held = order[k] as number;
    order[k] = order[other] as number;
    order[other] = held;
  }
  return order;
}

const WIDTH = 32;

function keyAt(keys: Uint8Array, pool: number, size: number): Uint8Array {
  return keys.subarray(pool * WIDTH, pool * WIDTH + size);
}

type Base = Pick<Universe, "seed" | "ranges" | "count" | "pairAddresses" | "tier">;

/** All keys, 32 bytes each, from the cache where an earlier run left them. */
function keysOf(base: Base, sizes: Sizes): Uint8Array {
  const parts = JSON.stringify([
    1,
    base.seed,
    sizes,
    families,
    base.pairAddresses(0),
    base.pairAddresses(base.count - 1),
  ]);
  const name = createHash("sha256").update(parts).digest("hex").slice(0, 24);
  const folder = join(tmpdir(), "braid-fake-chain");
  const path = join(folder, `${name}.keys`);
  const isLarge = base.count > 20_000;
  try {
    const kept = isLarge ? readFileSync(path) : undefined;
    if (kept?.length === base.count * WIDTH) return kept;
  } catch {
    // Not there yet.
  }
  const keys = new Uint8Array(base.count * WIDTH);
  for (const range of base.ranges) hashRange(base, range, keys);
  if (isLarge) {
    mkdirSync(folder, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, keys);
    renameSync(draft, path);
  }
  return keys;
}

function hashRange(base: Base, range: Range, keys: Uint8Array): void {
  const frame = create2Frame(range.deployer, range.initCodeHash);
  for (let pool = range.first; pool < range.first + range.count; pool++) {
    const key = keys.subarray(pool * WIDTH, (pool + 1) * WIDTH);
    if (range.kind === "v4") key.set(keccak(v4Key(base, pool)));
    else key.set(create2(frame, keccak(saltOf(base, pool, range.kind === "v3"))));
  }
}

function saltOf(base: Base, pool: number, isV3: boolean): Uint8Array {
  const [a, b] = base.pairAddresses(pool);
  if (!isV3) return bytesOf(`0x${a.slice(2)}${b.slice(2)}`);
  return bytesOf(
    `0x${a.slice(2).padStart(64, "0")}${b.slice(2).padStart(64, "0")}${word(base.tier(pool)[0])}`,
  );
}

function v4Key(base: Base, pool: number): Uint8Array {
  const [a, b] = base.pairAddresses(pool);
  const [fee, spacing] = base.tier(pool);
  return bytesOf(
    `0x${a.slice(2).padStart(64, "0")}${b.slice(2).padStart(64, "0")}${word(fee)}${word(spacing)}${word(0)}`,
  );
}

/** Open addressing: a slot holds a pool's number + 1, found by the first bytes of its key. */
function tableOf(keys: Uint8Array, count: number): Int32Array {
  const table = new Int32Array(2 ** Math.ceil(Math.log2(count * 2 + 2)));
  for (let pool = 0; pool < count; pool++) {
    let slot = slotOf(keys, pool * WIDTH, table.length);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = pool + 1;
  }
  return table;
}

function slotOf(bytes: Uint8Array, at: number, size: number): number {
  const head = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return (head >>> 0) & (size - 1);
}

function find(keys: Uint8Array, table: Int32Array, key: Uint8Array): number | undefined {
  if (key.length < 20) return undefined;
  for (let slot = slotOf(key, 0, table.length); table[slot] !== 0; slot = (slot + 1) & (table.length - 1)) {
    const pool = table[slot]! - 1;
    const held = keys.subarray(pool * WIDTH, (pool + 1) * WIDTH);
    if (held.every((byte, k) => byte === (key[k] ?? 0))) return pool;
  }
  return undefined;
}
