/** Takes up what ends a part, as soon as the part is there. */
export type Undo = (end: () => unknown) => void;

/**
 * Sets something up in parts, so that all parts which are there end with it, the last one first, and end as well where a
 * later one throws.
 *
 * @throws what `open` throws, and `stop` the first error of an end, once all were called
 */
export async function withTeardown<T extends object>(
  open: (undo: Undo) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const ends: (() => unknown)[] = [];
  const stop = async () => {
    const errors: unknown[] = [];
    for (const end of ends.splice(0).reverse())
      await Promise.resolve()
        .then(end)
        .catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  try {
    return { ...(await open((end) => void ends.push(end))), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}
