type Waiter = { readonly blockNumber: number; readonly done: (reached: boolean) => void };

/** Callers that wait for a block to be committed. */
export function createWaiters() {
  const waiting = new Set<Waiter>();
  return {
    /** @returns true once `reached` has named this block or a later one; false when the time is over first */
    wait(blockNumber: number, timeoutMs: number, current: number): Promise<boolean> {
      if (current >= blockNumber) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          blockNumber,
          done(reached) {
            clearTimeout(timer);
            waiting.delete(waiter);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => waiter.done(false), timeoutMs);
        waiting.add(waiter);
      });
    },
    reached(blockNumber: number): void {
      for (const waiter of [...waiting]) if (waiter.blockNumber <= blockNumber) waiter.done(true);
    },
  };
}
