import type { Hex } from "../../src/core/types.ts";
import type { Chain } from "../../test/chain/blocks/chain.ts";
import { CREATION, type Placed } from "../../test/chain/blocks/events.ts";
import { createBackend } from "../../test/chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../../test/chain/node/fake-node.ts";
import type { Profile } from "../../test/chain/node/profiles.ts";

/** A node of the fake chain, and what a service has learnt from it. */
export type Lab = {
  readonly node: FakeNode;
  readonly chain: Chain;
  /** By pool: 1 once its price or reserves were read. */
  readonly read: Uint8Array;
  /** By pool: 1 once a log or a factory announced it. */
  readonly announced: Uint8Array;
  counts(): Counts;
  /** Items of the past `record` whose text holds one of the keys. */
  record(): (keys: readonly string[]) => number;
  close(): Promise<void>;
};

export type Counts = {
  readonly items: number;
  readonly requests: number;
  readonly bytesOut: number;
  readonly logRequests: number;
  readonly logBytes: number;
  /** Pages of creation logs most of which had been answered before. */
  readonly repeatedPages: number;
};

const CREATIONS: ReadonlySet<Hex> = new Set(Object.values(CREATION));

export async function openLab(chain: Chain, profile: Profile): Promise<Lab> {
  const { universe } = chain;
  const read = new Uint8Array(universe.count);
  const announced = new Uint8Array(universe.count);
  const logs = { requests: 0, bytes: 0, repeated: 0 };
  const recorders = new Set<string[]>();
  const announce = (pool: number | undefined): boolean => {
    if (pool === undefined) return false;
    const isOld = announced[pool] === 1;
    announced[pool] = 1;
    return isOld;
  };
  const page = (rows: readonly Placed[]) => {
    logs.requests++;
    const made = rows.filter(({ topics }) => CREATIONS.has(topics[0] as Hex));
    logs.bytes += rows.reduce((sum, row) => sum + 330 + row.data.length + 69 * row.topics.length, 0);
    const old = made.filter((row) => announce(universe.byKey(keyIn(row)))).length;
    if (old > made.length / 2) logs.repeated++;
  };
  const backend = createBackend(chain, profile, {
    onState: (pool) => {
      read[pool] = 1;
    },
    onListed: (pool) => void announce(pool),
    onItem(method, params, result) {
      if (method === "eth_getLogs") page(result as Placed[]);
      if (recorders.size === 0) return;
      const text = JSON.stringify(params).toLowerCase();
      for (const recorder of recorders) recorder.push(text);
    },
  });
  const node = await startFakeNode(backend, { profile });
  const stop = chain.onBlock(() => node.push());
  return {
    node,
    chain,
    read,
    announced,
    counts: () => ({
      items: node.traffic.items,
      requests: node.traffic.requests,
      bytesOut: node.traffic.bytesOut,
      logRequests: logs.requests,
      logBytes: logs.bytes,
      repeatedPages: logs.repeated,
    }),
    record() {
      const texts: string[] = [];
      recorders.add(texts);
      return (keys) => {
        recorders.delete(texts);
        return texts.filter((text) => keys.some((key) => text.includes(key))).length;
      };
    },
    async close() {
      stop();
      await node.close();
    },
  };
}

/** The pool that a creation log announces: of v2 and v3 the address in its data, of v4 the id in its topics. */
function keyIn({ topics, data }: Placed): Hex {
  if (topics[0] === CREATION.v4) return topics[1] as Hex;
  return topics[0] === CREATION.v2 ? `0x${data.slice(26, 66)}` : `0x${data.slice(90, 130)}`;
}
