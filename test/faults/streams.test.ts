import { expect, test } from "vitest";
import { openStreams } from "./streams.ts";

/** `npm run test:faults` plays a thousand. */
test("after streams of blocks and reorgs every state is the chain's own at the head's hash", async () => {
  const streams = await openStreams(3);
  for (let stream = 0; stream < 6; stream++) expect(await streams.run(stream)).toBeGreaterThan(100);
});
