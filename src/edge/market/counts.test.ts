import fc from "fast-check";
import { expect, test } from "vitest";
import { poolAddress } from "../../../test/faults/fake-chain.ts";
import type { Engine } from "../../core/routing/types.ts";
import type { Address, Pool, PoolId, StateId } from "../../core/types.ts";
import { createAside } from "./aside.ts";
import { type Change, createBook, type Slot } from "./book.ts";
import { createCounts } from "./counts.ts";
import { concernedBy } from "./offers.ts";

const COUNT = 6;
const token = (k: number): Address => `0x${k.toString(16).padStart(40, "7")}`;

/** The first two pools also read the last pool's own state, as a metapool reads that of its base pool. */
const pools = Array.from({ length: COUNT }, (_, k): Pool => {
  const id = poolAddress(k);
  const shared = k < 2 ? [poolAddress(COUNT - 1)] : [];
  return {
    ...{ id, address: id, protocol: k % 2 === 0 ? "even" : "odd", deployment: "d", facts: {} },
    ...{ tokens: [token(k), token(k + 1)], stateIds: [id, ...shared] },
  };
});

const slots: readonly (Slot | undefined)[] = [
  { state: 1 },
  { refusal: "odd" },
  { refusal: "too odd" },
  { broken: "threw" },
  undefined,
];

const steps = fc.array(
  fc.record({
    isReset: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
    removed: fc.subarray([...pools.keys()]),
    added: fc.subarray([...pools.keys()]),
    slots: fc.array(fc.tuple(fc.nat(COUNT - 1), fc.nat(slots.length - 1)), { maxLength: 4 }),
  }),
  { maxLength: 20 },
);

/** Reference counts, by a walk over all pools of a book. */
function counted(book: ReturnType<typeof createBook>) {
  const byProtocol: Record<string, number> = {};
  const refused: Record<string, number> = {};
  const tokens = new Set<Address>();
  let priced = 0;
  const broken: PoolId[] = [];
  for (const pool of book.pools.values()) {
    const own = pool.stateIds.map((id) => book.slot(id));
    const reason = own.flatMap((slot) => (slot !== undefined && "refusal" in slot ? [slot.refusal] : []))[0];
    if (reason !== undefined) refused[reason] = (refused[reason] ?? 0) + 1;
    else if (own.every((slot) => slot !== undefined && "state" in slot)) {
      priced++;
      byProtocol[pool.protocol] = (byProtocol[pool.protocol] ?? 0) + 1;
      for (const one of pool.tokens) tokens.add(one);
    } else broken.push(pool.id);
  }
  const counts = { pools: priced, byProtocol, tokens: tokens.size, refused, quarantined: broken.length };
  return { counts, broken: broken.sort() };
}

test("counts that are kept from change to change are those of all pools counted one by one", () => {
  const engine = { quarantined: () => new Map<PoolId, string>() } as unknown as Engine;
  const property = fc.property(steps, (changes) => {
    const book = createBook();
    const counts = createCounts({ book, aside: createAside(), engine });
    for (const { isReset, removed, added, slots: written } of changes) {
      const change: Change = {
        head: { number: 1, hash: "0x01", parentHash: "0x00", timestamp: 1 },
        reset: isReset,
        removed: [...removed, ...added].map((k) => pools[k]!.id),
        added: added.map((k) => ({ ...pools[k]! })),
        slots: new Map(written.map(([k, slot]): [StateId, Slot | undefined] => [pools[k]!.id, slots[slot]])),
      };
      const gone = isReset ? [...book.pools.keys()] : [];
      book.apply(change);
      counts.update([...gone, ...concernedBy(book, change)]);
      const wanted = counted(book);
      expect(counts.read()).toEqual(wanted.counts);
      const broken = counts.quarantined().map(({ id }) => id);
      expect(broken.sort()).toEqual(wanted.broken);
    }
  });
  fc.assert(property);
});
