/**
 * Real swaps by real wallets against the running service, checked to the wei:
 * npm run e2e -- [--count 200] [--seed 1] [--url URL --rpc URL]
 * with a maker's orders in them: npm run e2e -- --makers [--contract | --push | --airswap] [--count 200] [--quotes 500] [--seed 1];
 * --contract: the maker is a contract wallet; --push: it pushes its levels; --airswap: it speaks AirSwap's protocol
 */
import { answeringFlag, readFlags, refuse, seedOf, wholeNumber } from "../../scripts/command-line.ts";
import { startStack } from "../support/stack.ts";
import { runMakers } from "./makers/run.ts";
import { runAll } from "./run.ts";

const { values } = readFlags({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    url: { type: "string" },
    rpc: { type: "string" },
    makers: { type: "boolean", default: false },
    contract: { type: "boolean", default: false },
    push: { type: "boolean", default: false },
    airswap: { type: "boolean", default: false },
    quotes: { type: "string", default: "500" },
    verbose: { type: "boolean", default: false },
  },
});
const count = wholeNumber("count", values.count, 1);
const seed = seedOf(values.seed);
if ((values.url === undefined) !== (values.rpc === undefined)) refuse("--url and --rpc come together");
if (!values.makers && (values.contract || values.push || values.airswap))
  refuse("--contract, --push and --airswap say which maker it is: they need --makers");
if (values.makers && values.url !== undefined) refuse("--makers starts a service of its own, without --url");

if (values.makers) {
  const kinds = { airswap: values.airswap, contract: values.contract, pushing: values.push } as const;
  const [kind = "account", ...more] = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(
    (one) => kinds[one],
  );
  if (more.length > 0) refuse("--contract, --push and --airswap exclude each other");
  process.exit(
    (await runMakers({ count, quotes: wholeNumber("quotes", values.quotes, 1), seed, kind })) > 0 ? 1 : 0,
  );
}

const stack =
  values.url !== undefined
    ? {
        url: await answeringFlag("url", values.url),
        rpc: await answeringFlag("rpc", values.rpc),
        stop: async () => null,
      }
    : await startStack({ DEVNET_BLOCK_TIME_MS: "0" });
try {
  const { passed, failed } = await runAll({
    url: stack.url,
    rpc: stack.rpc,
    count,
    seed,
    verbose: values.verbose,
  });
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await stack.stop();
}
