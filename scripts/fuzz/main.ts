/**
 * npm run fuzz -- [--requests 100000] [--seed 1 | random] [--url URL] [--parallel 8]
 *
 * Sends requests made from the OpenAPI document to a running service, or to one that it starts over the devnet, and compares every
 * answer with the document: no status and no body that is not in it, no 5xx but the 503s that have a name. Exit code 1 where one is.
 */

import { seeded } from "../../test/support/random.ts";
import { startStack } from "../../test/support/stack.ts";
import { answeringFlag, readFlags, reasonOf, refuse, seedOf, wholeNumber } from "../command-line.ts";
import { fuzz, NoService } from "./run.ts";

const { values } = readFlags({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: "random" },
    url: { type: "string" },
    parallel: { type: "string", default: "8" },
  },
});
const requests = wholeNumber("requests", values.requests, 1);
const parallel = wholeNumber("parallel", values.parallel, 1);
const seed = seedOf(values.seed);
const given = values.url === undefined ? undefined : await answeringFlag("url", values.url);
const stack = given === undefined ? await startStack() : undefined;
const started = Date.now();
const tally = await fuzz({ url: given ?? stack!.url, requests, parallel, random: seeded(seed) })
  .catch((error: unknown) => {
    if (error instanceof NoService) return refuse(`--url: no service of Braid answers: ${reasonOf(error)}`);
    throw error;
  })
  .finally(() => stack?.stop());
const statuses = new Map<string, number>();
for (const [key, count] of tally.statuses) {
  const status = key.split(" ").at(-1)!;
  statuses.set(status, (statuses.get(status) ?? 0) + count);
}
console.table(Object.fromEntries([...tally.statuses].sort(([a], [b]) => (a < b ? -1 : 1))));
for (const finding of tally.findings) console.log(JSON.stringify(finding, undefined, 2));
const seconds = Math.round((Date.now() - started) / 1000);
const all = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
console.log(
  `${tally.requests} requests in ${seconds} s, seed ${seed}: ${all.join(", ")}; ${tally.findings.length} findings`,
);
process.exitCode = tally.findings.length > 0 ? 1 : 0;
