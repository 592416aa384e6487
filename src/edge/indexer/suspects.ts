import type { Protocol, Registry } from "../../core/protocol.ts";
import type { Address, Hex, Pool } from "../../core/types.ts";
import { mayHold } from "../node/logs/bloom.ts";
import type { Header } from "../node/types.ts";

/** Finds the pools that a block may have changed, where its logs are not available or not trusted. */
export type Suspects = (header: Header, pools: Iterable<Pool>) => Pool[];

/**
 * Finds them by the header's bloom, which has no false negatives: the pools of a design with a topic in the bloom;
 * where the design's logs come from the pool itself, only pools whose address is in the bloom too. Where the header's
 * hash was not verified, or it has no bloom: all pools that are read from contracts.
 */
export function createSuspects(registry: Registry): Suspects {
  const ofItself = new Map(
    [...registry.values()].map((protocol) => [protocol.name, speaksForItself(protocol)]),
  );
  return ({ isSealed, logsBloom }, pools) => {
    const isBloom = isSealed && logsBloom.length === 514;
    const active = new Set(
      [...registry.values()]
        .filter(({ topics }) => !isBloom || mayHold(logsBloom, topics))
        .map(({ name }) => name),
    );
    const mayChange = (pool: Pool) => {
      if (!active.has(pool.protocol) || !isRead(registry, pool)) return false;
      return !isBloom || ofItself.get(pool.protocol) !== true || mayHold(logsBloom, [pool.address]);
    };
    return [...pools].filter(mayChange);
  };
}

/**
 * Whether the pool's state is read from contracts; other states, such as a maker's levels, do not change with blocks.
 */
export function isRead(registry: Registry, { protocol }: Pool): boolean {
  const design = registry.get(protocol);
  return design !== undefined && design.isUnread !== true;
}

const EMITTER: Address = `0x${"e7".repeat(20)}`;
const WORD: Hex = `0x${"00".repeat(32)}`;

/** Whether every log of the design concerns the pool at the address that emitted it, and no other. */
function speaksForItself({ topics, creations, touches }: Protocol): boolean {
  const changing = topics.filter((topic) => !creations.includes(topic));
  return changing.every((topic) => {
    try {
      const ids = touches({
        address: EMITTER,
        topics: [topic, WORD, WORD, WORD],
        data: `0x${"00".repeat(1024)}`,
      });
      return ids.every((id) => id === EMITTER);
    } catch {
      return false;
    }
  });
}
