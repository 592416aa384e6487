import type { Address, Pool, PoolId } from "../../../core/types.ts";

/**
 * What many pools have in common: deployment record, design, facts, and the contract where it is not the pool's own.
 */
export type Shapes = {
  /** The number of a pool's shape; undefined for a new shape once there are MOST_SHAPES. */
  of(pool: Pool): number | undefined;
  /** Builds the pool with this shape, id and tokens. */
  pool(shape: number, id: PoolId, tokens: readonly Address[]): Pool;
};

type Shape = Pick<Pool, "protocol" | "deployment" | "facts"> & {
  /** Undefined where the address is the pool's id. */
  readonly address: Address | undefined;
};

/**
 * Bound on the number of shapes: a design whose pools each have facts of their own would have as many shapes as pools.
 */
const MOST_SHAPES = 20_000;

export function createShapes(): Shapes {
  const shapes: Shape[] = [];
  const numbers = new Map<string, number>();
  return {
    of({ id, address, protocol, deployment, facts }) {
      const own = address === id ? undefined : address;
      const named = Object.entries(facts).map(([name, value]) => [name, typeof value, String(value)]);
      const key = JSON.stringify([protocol, deployment, own ?? "", named]);
      const number = numbers.get(key);
      if (number !== undefined || shapes.length >= MOST_SHAPES) return number;
      shapes.push({ protocol, deployment, facts, address: own });
      numbers.set(key, shapes.length - 1);
      return shapes.length - 1;
    },
    pool(shape, id, tokens) {
      const { protocol, deployment, facts, address } = shapes[shape]!;
      return { id, address: address ?? (id as Address), protocol, deployment, tokens, stateIds: [id], facts };
    },
  };
}
