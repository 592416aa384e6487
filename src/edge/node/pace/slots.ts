/** A limit on how much is under way at once: `take` resolves once there is room, and `free` makes room again. */
export type Slots = { readonly take: () => Promise<void>; readonly free: () => void };

/** Room for `most` at once, given in the order of asking. */
export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = [];
  let free = most;
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    free() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
