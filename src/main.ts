/** The composition root: settings → devnet or RPC endpoints → chains → use cases → HTTP. Nothing imports it. */
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import closeWithGrace from "close-with-grace";
import pino from "pino";
import packageJson from "../package.json" with { type: "json" };
import { chains } from "./chains/index.ts";
import { edgeSettings, readConfig } from "./config.ts";
import { ROUTER_ADDRESS } from "./core/encoding/router-artifact.ts";
import type { Chain } from "./core/types.ts";
import { planDevnet } from "./devnet/index.ts";
import { createTestWallet } from "./devnet/test-wallet.ts";
import { openKeyRing } from "./edge/access/key-ring.ts";
import { createLogos } from "./edge/logos/logos.ts";
import { type MakerSettings, readMakersFile } from "./edge/makers/makers-file.ts";
import { openPushListener, type PushListener } from "./edge/makers/push/listener.ts";
import { openMakerMemory } from "./edge/makers/standing/memory.ts";
import { withMakers } from "./edge/makers/tokens.ts";
import { openQuoteFile } from "./edge/quotes/quote-file.ts";
import { createQuotes, quoteLimits } from "./edge/quotes/quotes.ts";
import { serveChain } from "./edge/serve-chain.ts";
import { openDataFolder } from "./edge/store/data-folder.ts";
import { openTokenRegistry } from "./edge/token-lists/registry.ts";
import { limitHeapGrowth } from "./heap-growth.ts";
import { createApp } from "./http/app.ts";
import { defaultHttpSettings } from "./http/settings.ts";
import { isScript, onOrphaned } from "./orphan.ts";
import { showProgress } from "./progress-bar.ts";
import { protocols } from "./protocols/index.ts";
import { rehearse } from "./rehearsal.ts";
import { type Deps, defaultServiceSettings } from "./service/deps.ts";

/** Longest time that shutdown takes beyond DRAIN_DELAY_MS; half of it is for requests in flight. */
const DRAIN_MS = 20_000;

/** Time for warm-up searches after the first state of a chain is complete. */
const REHEARSAL_MS = 400;

/** Configuration errors are reported without a stack trace, because the operator can fix them. */
const giveUp = (error: Error): never => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
};
const config = ((): ReturnType<typeof readConfig> => {
  try {
    return readConfig(process.env);
  } catch (error) {
    return giveUp(error as Error);
  }
})();
/** Market makers from MAKERS_FILE. Those of real chains may not have addresses on this machine. */
const makers = ((): readonly MakerSettings[] => {
  try {
    const isDevnet = (chainId: number) => config.rpcUrls.size === 0 && chainId === config.DEVNET_CHAIN_ID;
    const read = config.MAKERS_FILE === undefined ? [] : readMakersFile(config.MAKERS_FILE, isDevnet);
    const pushing = read.find(({ pushes }) => pushes);
    if (pushing !== undefined && config.MAKERS_PORT === undefined)
      throw new Error(`MAKERS_PORT is unset, and ${pushing.name} of MAKERS_FILE pushes its levels`);
    return read;
  } catch (error) {
    return giveUp(error as Error);
  }
})();
try {
  if (config.DATA_DIR !== undefined) openDataFolder(config.DATA_DIR);
} catch (error) {
  giveUp(error as Error);
}
const log = pino({ level: config.LOG_LEVEL, base: null }, pino.destination(2));
const say = (line: string) => process.stdout.write(`${line}\n`);

const plannedDevnet =
  config.rpcUrls.size > 0
    ? undefined
    : await planDevnet({
        chainId: config.DEVNET_CHAIN_ID,
        port: config.DEVNET_PORT,
        dataDir: config.DATA_DIR,
        traffic: config.DEVNET_TRAFFIC,
        blockTimeMs: config.DEVNET_BLOCK_TIME_MS,
        log: (line, facts) => log.info(facts ?? {}, line),
        warn: (line, facts) => log.warn(facts ?? {}, line),
      }).catch(giveUp);
// Settings of other programs have this name too, so that it is no mistake.
if (plannedDevnet !== undefined && (process.env.RPC_URL ?? "") !== "")
  log.warn("RPC_URL is not read, as it names no chain, and the devnet starts; RPC_URL_1 is Ethereum's");
/** Opening fails where another process uses the data folder, or it is not writable. */
const tokens = await Promise.resolve(config.DATA_DIR)
  .then((folder) => openTokenRegistry(folder, log))
  .catch(giveUp);
/** Opening fails where the file of API keys cannot be read. */
const keys = await Promise.resolve(config.DATA_DIR)
  .then((folder) => openKeyRing(folder, () => Math.floor(Date.now() / 1000), log))
  .catch((error: Error) => {
    tokens.close();
    return giveUp(error);
  });
/**
 * The search threads are loaded while the devnet is built, which mostly waits for its node. It starts once the folder is
 * this process's own: its end saves the chain, over that of another process.
 */
const startingDevnet = plannedDevnet?.start().catch(giveUp);
const quotes = createQuotes(
  quoteLimits,
  config.DATA_DIR === undefined ? undefined : openQuoteFile(config.DATA_DIR, log),
);
const makerMemory =
  config.DATA_DIR === undefined ? undefined : openMakerMemory(config.DATA_DIR, () => Date.now(), log);
const serve = (chain: Chain, endpoints: readonly string[]) =>
  serveChain({
    chain,
    endpoints,
    registry: protocols,
    router: ROUTER_ADDRESS,
    tokens,
    makers: makers.filter(({ chainId }) => chainId === chain.id),
    makerMemory,
    flashblocksUrl: config.flashblocksUrls.get(chain.id),
    settings: edgeSettings(config, availableParallelism()),
    log,
  });
const served = plannedDevnet
  ? [serve(plannedDevnet.chain, [plannedDevnet.url])]
  : chains
      .filter(({ id }) => config.rpcUrls.has(id))
      .map((chain) => serve(chain, config.rpcUrls.get(chain.id)!));

const deps: Deps = {
  chains: new Map(served.map((one) => [one.chain.id, one])),
  tokens: withMakers(tokens.port, served),
  registry: protocols,
  unixSeconds: () => Math.floor(Date.now() / 1000),
  monotonicMs: () => performance.now(),
  pause: () => setImmediate(),
  quotes,
  settings: {
    ...defaultServiceSettings,
    maxStateAgeMs: config.MAX_STATE_AGE_MS,
    maxLegs: config.ROUTE_MAX_LEGS,
    searchTimeoutMs: config.ROUTE_BUDGET_MS,
  },
};

// Started as soon as there is a node, so that it answers while the HTTP routes and their serializers are built.
void Promise.resolve(startingDevnet).then(() => {
  for (const one of served) void one.start();
});

const { app, drain, measure } = await createApp({
  deps,
  log,
  settings: {
    ...defaultHttpSettings,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    requireApiKey: config.REQUIRE_API_KEY,
    maxConcurrent: config.MAX_CONCURRENT_SEARCHES,
    trustedProxies: config.TRUST_PROXY,
  },
  version: packageJson.version,
  pageRoot: fileURLToPath(new URL("../web/dist", import.meta.url)),
  keys: keys.port,
  logos: createLogos({
    chains: served.map(({ chain }) => chain),
    devnetId: plannedDevnet?.chain.id,
    fetches: config.FETCH_LOGOS,
    monotonicMs: () => performance.now(),
  }),
  testWallet: plannedDevnet && createTestWallet(plannedDevnet.chain.id, plannedDevnet.url),
});
const devnet = await startingDevnet;

let pushing: PushListener | undefined;
let isEnding = false;
const grace = closeWithGrace(
  { delay: config.DRAIN_DELAY_MS + DRAIN_MS, logger: { error: (error) => log.error(error) } },
  async ({ err, signal }) => {
    isEnding = true;
    if (err) log.error(err, "ending after an error");
    hideProgress();
    // After SIGTERM, load balancers send requests until they notice that /readyz fails.
    await drain(signal === "SIGTERM" ? config.DRAIN_DELAY_MS : 0, DRAIN_MS / 2);
    await app.close();
    await pushing?.close();
    await Promise.all(served.map((one) => one.stop()));
    tokens.close();
    keys.close();
    quotes.close();
    makerMemory?.close();
    await devnet?.stop();
  },
);

// A new devnet would contradict what clients have read from the lost one, so the service ends with an error instead.
void devnet?.lost.then((reason) => {
  throw new Error(`The devnet's node is gone: ${reason}`);
});

// An npm script ends when npm does; a service that was started directly may outlive its parent. After a signal to both,
// shutdown has already begun.
if (isScript())
  onOrphaned(() => {
    if (!isEnding) grace.close();
  });

const hideProgress = showProgress(served, process.stdout);
const rehearsed = served.map(async ({ chain, ready }) => {
  await ready;
  log.info(
    { chain: chain.id, ...(await rehearse({ deps, app }, chain.id, REHEARSAL_MS)) },
    "searches were rehearsed",
  );
  limitHeapGrowth();
});
await app.listen({ port: config.PORT, host: config.HOST }).catch(async (error: Error) => {
  await devnet?.stop();
  giveUp(new Error(`PORT ${config.PORT} on HOST ${config.HOST} cannot be used: ${error.message}`));
});
measure();
pushing =
  config.MAKERS_PORT === undefined
    ? undefined
    : await openPushListener({
        host: config.MAKERS_HOST,
        port: config.MAKERS_PORT,
        pushers: served.flatMap(({ pushers }) => pushers),
        trustedProxies: config.TRUST_PROXY,
        unixMs: () => Date.now(),
        monotonicMs: () => performance.now(),
        log,
      }).catch(async (error: Error) => {
        await devnet?.stop();
        return giveUp(
          new Error(
            `MAKERS_PORT ${config.MAKERS_PORT} on MAKERS_HOST ${config.MAKERS_HOST} cannot be used: ${error.message}`,
          ),
        );
      });
if (devnet) await Promise.all(rehearsed);

const { port } = app.server.address() as AddressInfo;
const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host);
const url = `http://${hostOf(config.HOST)}:${port}`;
if (devnet) say(`devnet JSON-RPC ${devnet.url}, chain id ${devnet.chain.id}, mnemonic "test test … junk"`);
if (pushing) say(`makers push to http://${hostOf(config.MAKERS_HOST)}:${pushing.port}/levels`);
say(`page ${url}/ · documentation ${url}/docs · health ${url}/health`);
if (devnet) {
  const pair =
    "fromTokenAddress=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&toTokenAddress=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  say(`try  curl '${url}/v1/${devnet.chain.id}/price?${pair}&amount=1000000000000000000'`);
}
say(`ready ${url}`);
