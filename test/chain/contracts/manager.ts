import type { Hex } from "../../../src/core/types.ts";
import type { BlockRef, Chain } from "../blocks/chain.ts";
import { keccakOf, word, words } from "../model/hash.ts";
import { isPair, type TickState } from "../model/states.ts";
import { bitmapOf, tickAt } from "./ticks.ts";

/** The storage of v4's manager, slot by slot. @source Uniswap/v4-core src/libraries/StateLibrary.sol */

const POOLS_SLOT = 6;
const LIQUIDITY = 3n;
const TICKS = 4n;
const BITMAP = 5n;

type Place =
  | { readonly pool: number; readonly field: bigint }
  | { readonly pool: number; readonly tick: number }
  | { readonly pool: number; readonly bitmap: number };

/** Answers `extsload`: where a slot is of no pool that exists, zero. */
export type ManagerStorage = (slot: Hex, block: BlockRef) => Hex;

export function createManagerStorage(chain: Chain, onState: (pool: number) => void): ManagerStorage {
  const places = new Map<Hex, Place>();
  const mapped = new WeakSet<readonly number[]>();
  const range = chain.universe.ranges.find(({ kind }) => kind === "v4");
  const ticksState = (pool: number, block: BlockRef) => {
    const state = chain.state(pool, block);
    return state === undefined || isPair(state) ? undefined : state;
  };
  const mapTicks = (pool: number, state: TickState) => {
    if (mapped.has(state.ticks)) return;
    mapped.add(state.ticks);
    const base = baseSlot(chain.universe.key(pool));
    for (const tick of state.ticks) places.set(slotIn(tick, base + TICKS), { pool, tick });
    for (const bitmap of bitmapOf(state).keys()) places.set(slotIn(bitmap, base + BITMAP), { pool, bitmap });
  };
  const mapBases = () => {
    if (places.size > 0 || range === undefined) return;
    for (let pool = range.first; pool < range.first + range.count; pool++) {
      const base = baseSlot(chain.universe.key(pool));
      for (const field of [0n, LIQUIDITY]) places.set(hexSlot(base + field), { pool, field });
    }
  };
  return (slot, block) => {
    mapBases();
    const place = places.get(slot);
    if (place === undefined) return words(0n);
    const state = ticksState(place.pool, block);
    if (state === undefined) return words(0n);
    mapTicks(place.pool, state);
    if ("field" in place && place.field === 0n) onState(place.pool);
    return words(valueAt(place, state));
  };
}

function valueAt(place: Place, state: TickState): bigint {
  if ("tick" in place) {
    const [gross, net] = tickAt(state, place.tick);
    return (BigInt.asUintN(128, net) << 128n) | gross;
  }
  if ("bitmap" in place) return bitmapOf(state).get(place.bitmap) ?? 0n;
  if (place.field === LIQUIDITY) return state.liquidity;
  if (state.sqrtPriceX96 === 0n) return 0n;
  const tick = BigInt.asUintN(24, BigInt(state.tick));
  return (BigInt(state.feePpm) << 208n) | (tick << 160n) | state.sqrtPriceX96;
}

function baseSlot(id: Hex): bigint {
  return BigInt(keccakOf(`${id}${word(POOLS_SLOT)}`));
}

function slotIn(key: number, mapping: bigint): Hex {
  return keccakOf(`0x${word(key)}${word(mapping & (2n ** 256n - 1n))}`);
}

function hexSlot(slot: bigint): Hex {
  return `0x${word(slot & (2n ** 256n - 1n))}`;
}
