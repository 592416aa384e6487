import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { isGiven, readFlashblocksUrls, readRpcUrls } from "./config-urls.ts";
import { defaultEdgeSettings, type EdgeSettings } from "./edge/settings.ts";
import { defaultHttpSettings } from "./http/settings.ts";
import { defaultServiceSettings } from "./service/deps.ts";

const port = (description: string, fallback: number) =>
  Type.Integer({ default: fallback, minimum: 0, maximum: 65_535, description });

const milliseconds = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 10, maximum: 3_600_000, description });

/** Environment variables of the service. Their types, defaults and docs/configuration.md are all derived from here. */
export const Settings = Type.Object({
  PORT: port("HTTP port; 0 picks a free one.", 8080),
  HOST: Type.String({
    default: "127.0.0.1",
    minLength: 1,
    description: "Address that the HTTP server binds to.",
  }),
  DEVNET_CHAIN_ID: Type.Integer({
    default: 31_337,
    minimum: 1,
    maximum: 2 ** 31,
    description:
      "Chain id of the embedded devnet. Signatures made on chain id 1 are valid on the real chain: keep the default unless a client insists.",
  }),
  DEVNET_PORT: port("JSON-RPC port of the embedded devnet; 0 picks a free one.", 8545),
  DEVNET_TRAFFIC: Type.Boolean({
    default: false,
    description: "1 = a trader moves the devnet's prices each block.",
  }),
  DEVNET_BLOCK_TIME_MS: Type.Integer({
    default: 1_000,
    minimum: 0,
    maximum: 60_000,
    multipleOf: 1_000,
    description:
      "Time between the devnet's blocks, in whole seconds; 0 = a block only when its node is asked (evm_mine).",
  }),
  DATA_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Folder for what survives a restart. Unset: everything lives in memory.",
    }),
  ),
  MAKERS_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description: "JSON file of the makers that may be asked for orders: docs/makers.md. Unset: none.",
    }),
  ),
  MAKERS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: "Port on which makers push their levels; 0 picks a free one. Unset: none is open.",
    }),
  ),
  MAKERS_HOST: Type.String({
    default: "127.0.0.1",
    minLength: 1,
    description: "Address that the port for makers binds to.",
  }),
  FETCH_LOGOS: Type.Boolean({
    default: true,
    description:
      "0 = logos of tokens are not fetched from the https addresses that the token lists name. Fetched ones are kept in memory and served from here; the devnet's are shipped.",
  }),
  LOG_LEVEL: Type.Enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
    default: "info",
    description: "Lowest level that is logged, to stderr as JSON lines.",
  }),
  MAX_STATE_AGE_MS: Type.Integer({
    default: defaultServiceSettings.maxStateAgeMs,
    minimum: 1_000,
    description:
      "Prices are refused (STALE_STATE) when the head was last confirmed longer ago than this, or three block times.",
  }),
  ROUTE_BUDGET_MS: Type.Integer({
    default: defaultServiceSettings.searchTimeoutMs,
    minimum: 1,
    maximum: 60_000,
    description:
      "Time after which a search returns the best route so far; a batch of prices has eight times as much.",
  }),
  ROUTE_MAX_LEGS: Type.Integer({
    default: defaultServiceSettings.maxLegs,
    minimum: 0,
    maximum: 200,
    description: "Pool crossings in one route; 0 = no cap.",
  }),
  ROUTE_WORKERS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 256,
      description:
        "Threads that search for routes, shared among the served chains, at least one each; one more for each chain is kept ready. Unset: one less than the processor's cores, at least 1. 0 = the thread that answers requests searches too, which takes the least memory.",
    }),
  ),
  RATE_LIMIT_PER_MINUTE: Type.Integer({
    default: defaultHttpSettings.rateLimitPerMinute,
    minimum: 0,
    description: "Requests a minute from one client address; 0 = no limit.",
  }),
  REQUIRE_API_KEY: Type.Boolean({
    default: defaultHttpSettings.requireApiKey,
    description:
      "1 = requests without an API key are answered UNAUTHORIZED. Keys are made by `npm run keys` and live in DATA_DIR.",
  }),
  MAX_CONCURRENT_SEARCHES: Type.Integer({
    default: defaultHttpSettings.maxConcurrent,
    minimum: 1,
    description: "Price and quote requests at work at once; more are answered OVERLOADED.",
  }),
  TRUST_PROXY: Type.Integer({
    default: defaultHttpSettings.trustedProxies,
    minimum: 0,
    maximum: 16,
    description:
      "Proxies in front, one behind the other, that each append to X-Forwarded-For: the caller is so many entries from the right. What stands left of it is the caller's own word and is not read. 0 = the caller is who connects. Counts for the port of makers too.",
  }),
  DRAIN_DELAY_MS: Type.Integer({
    default: 3_000,
    minimum: 0,
    maximum: 300_000,
    description:
      "After SIGTERM the service answers on for this long, with /readyz at 503 and each connection closed after its answer; less where nobody was connected for so long. Above the period in which a load balancer asks for /readyz, nobody is cut off.",
  }),
  NODE_POLL_MS: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: 60_000,
      description:
        "Time between two questions for the head. Unset: an eighth of the block time, 250 (600 on a chain of several blocks a second) to 1500 ms, from when the next block is likely to be there; a node on this machine is asked as soon as it has a block.",
    }),
  ),
  NODE_ATTEMPT_MS: milliseconds(
    defaultEdgeSettings.attemptMs,
    "An endpoint that has not answered after this is given up for this request, and another is asked.",
  ),
  NODE_INDEX_DEADLINE_MS: milliseconds(
    defaultEdgeSettings.indexDeadlineMs,
    "Longest wait for one read of logs or states, all attempts together.",
  ),
  NODE_READ_DEADLINE_MS: milliseconds(
    defaultEdgeSettings.readDeadlineMs,
    "Longest wait of a caller for a balance, an allowance or a simulation.",
  ),
  NODE_MAX_BYTES: Type.Integer({
    default: defaultEdgeSettings.maxBytes,
    minimum: 65_536,
    description: "Largest answer that is taken from an endpoint.",
  }),
  SELF_CHECK_BLOCKS: Type.Integer({
    default: defaultEdgeSettings.selfCheckBlocks,
    minimum: 0,
    description:
      "Within so many blocks (on a fast chain, so many times 2 s, and 4 s where several blocks come in a second) the deepest pools in memory are compared with the chain; 0 = never.",
  }),
  SELF_CHECK_POOLS: Type.Integer({
    default: defaultEdgeSettings.selfCheckPools,
    minimum: 1,
    maximum: 20_000,
    description: "How many pools count as the deepest.",
  }),
  ACTIVE_DEPTH_NATIVE: Type.Number({
    default: defaultEdgeSettings.activeDepthNative,
    minimum: 0,
    description: "A token is active when one of its pools holds this much of it, in whole native coins.",
  }),
  READ_BLOCKS: Type.Boolean({
    default: defaultEdgeSettings.readBlocks,
    description:
      "1 = the transactions of each block are read, one request a block, so that quotes are found on the chain whose transactions nobody asks the outcome of: GET /v1/{chainID}/accuracy.",
  }),
  RANK_MS: milliseconds(
    defaultEdgeSettings.rankMs,
    "How often the order of the token list and the active tokens follow the market.",
  ),
});

export type Config = Readonly<Static<typeof Settings>> & {
  /**
   * JSON-RPC endpoints by chain id, from `RPC_URL_<chain id>` (comma-separated). Empty: the embedded devnet is served.
   */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  /** WebSocket URLs of Flashblocks by chain id, from `FLASHBLOCKS_URL_<chain id>`; only for chains with endpoints. */
  readonly flashblocksUrls: ReadonlyMap<number, string>;
};

/**
 * Reads the settings from an environment.
 *
 * @throws Error that names all invalid settings together
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries<Type.TSchema>(Settings.properties).flatMap(([key, schema]) => {
    const text = env[key];
    return isGiven(text) ? [[key, fromText(schema, text)]] : [];
  });
  const settings = Value.Default(Settings, Object.fromEntries(given)) as Static<typeof Settings>;
  const faults = [...settingFaults(settings, env)];
  const rpcUrls = readRpcUrls(env, faults);
  const flashblocksUrls = readFlashblocksUrls(env, rpcUrls, faults);
  if (settings.REQUIRE_API_KEY === true && settings.DATA_DIR === undefined)
    faults.push("REQUIRE_API_KEY: needs DATA_DIR, where the keys are kept (got no DATA_DIR)");
  if (faults.length > 0)
    throw new Error(`Bad configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  return { ...settings, rpcUrls, flashblocksUrls };
}

/** The settings of the edge. @param cores number of threads that the machine runs in parallel */
export function edgeSettings(config: Config, cores: number): EdgeSettings {
  const workers = config.ROUTE_WORKERS ?? Math.max(1, cores - 1);
  const perChain = Math.max(1, Math.floor(workers / Math.max(1, config.rpcUrls.size)));
  return {
    searchThreads: workers === 0 ? 0 : perChain,
    pollMs: config.NODE_POLL_MS,
    attemptMs: config.NODE_ATTEMPT_MS,
    indexDeadlineMs: config.NODE_INDEX_DEADLINE_MS,
    readDeadlineMs: config.NODE_READ_DEADLINE_MS,
    selfCheckBlocks: config.SELF_CHECK_BLOCKS,
    selfCheckPools: config.SELF_CHECK_POOLS,
    activeDepthNative: config.ACTIVE_DEPTH_NATIVE,
    rankMs: config.RANK_MS,
    maxBytes: config.NODE_MAX_BYTES,
    readBlocks: config.READ_BLOCKS,
  };
}

/**
 * The value that a text stands for; the text itself where it stands for none, which the schema then refuses. Typebox's own
 * conversion is for switches alone: it cuts fractions off, and takes a number from `true`.
 */
function fromText(schema: Type.TSchema, text: string): unknown {
  if (Type.IsBoolean(schema)) return Value.Convert(schema, text.trim());
  if (!Type.IsInteger(schema) && !Type.IsNumber(schema)) return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function settingFaults(
  settings: unknown,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const faults = new Map<string, string>();
  for (const error of Value.Errors(Settings, settings)) {
    const key = error.instancePath.split("/")[1] as keyof typeof Settings.properties;
    const must = wordsOf(Settings.properties[key]) ?? error.message;
    if (!faults.has(key)) faults.set(key, `${key}: ${must} (got ${JSON.stringify(env[key])})`);
  }
  return [...faults.values()];
}

/** What a setting of few values must be, where the schema's own words do not name them. */
function wordsOf(schema: Type.TSchema): string | undefined {
  if (Type.IsBoolean(schema)) return "must be 0 or 1";
  return Type.IsEnum(schema) ? `must be one of ${schema.enum.join(", ")}` : undefined;
}
