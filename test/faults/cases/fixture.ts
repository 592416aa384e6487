import type { Trial } from "../mainnet.ts";

/** Running edges that several cases follow, one after the other. */
export type Fixture = { open(): Promise<Trial>; close(): Promise<void> };

/** Opened by the first case that needs it. */
export function shared(create: () => Promise<Trial>): Fixture {
  let opened: Promise<Trial> | undefined;
  return {
    async open() {
      opened ??= create().then(async (trial) => {
        await trial.arrived("the first head");
        return trial;
      });
      const trial = await opened;
      await trial.arrived("the newest head");
      return trial;
    },
    async close() {
      const trial = await opened?.catch(() => undefined);
      await trial?.close();
    },
  };
}

/** What a lie leaves behind must not fail the cases after it. */
export async function freshly(fixture: Fixture, work: (trial: Trial) => Promise<void>): Promise<void> {
  try {
    await work(await fixture.open());
  } finally {
    await fixture.close();
  }
}
