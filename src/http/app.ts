import type { Server } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify from "fastify";
import { createAccuracy } from "../service/accuracy/accuracy.ts";
import type { Deps } from "../service/deps.ts";
import type { TestWalletPort } from "../service/ports/ports.ts";
import type { KeyPort } from "../service/ports/ports-access.ts";
import type { LogoPort } from "../service/ports/ports-logos.ts";
import { noKeys } from "./access/admission.ts";
import { registerDefaultFees } from "./access/default-fees.ts";
import type { App, Context, Log } from "./app-types.ts";
import { registerFailures, sendFailure } from "./failures.ts";
import { registerBodies } from "./guard/body.ts";
import { answerClientError } from "./guard/client-errors.ts";
import { createDrain, type Drain } from "./guard/drain.ts";
import { registerExpectations } from "./guard/expectations.ts";
import { createGate } from "./guard/gate.ts";
import { commonHeaders, preflightHeaders, requestIdOf } from "./guard/headers.ts";
import { registerLimits } from "./guard/limits.ts";
import { registerUnread } from "./guard/unread.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { observed } from "./observe/observed.ts";
import { registerPage } from "./page.ts";
import { gasPricesRoute } from "./routes/chain-facts/gas-prices.ts";
import { logoRoute } from "./routes/chain-facts/logo.ts";
import { platformsRoute } from "./routes/chain-facts/platforms.ts";
import { sourcesRoute } from "./routes/chain-facts/sources.ts";
import { tokenListRoutes, tokenRoute } from "./routes/chain-facts/tokens.ts";
import { accuracyRoute } from "./routes/offers/accuracy.ts";
import { keptQuoteRoute } from "./routes/offers/kept-quote.ts";
import { priceRoute } from "./routes/offers/price.ts";
import { pricesRoute } from "./routes/offers/prices.ts";
import { quoteRoute } from "./routes/offers/quote.ts";
import { streamRoute } from "./routes/offers/stream.ts";
import { devnetRpcRoute } from "./routes/operation/devnet-rpc.ts";
import { errorsRoutes } from "./routes/operation/errors.ts";
import { healthRoutes } from "./routes/operation/health.ts";
import { statusRoute } from "./routes/operation/status.ts";
import { allowanceRoute } from "./routes/wallets/allowance.ts";
import { approveRoute } from "./routes/wallets/approve.ts";
import { balancesRoute } from "./routes/wallets/balances.ts";
import { outcomeRoute } from "./routes/wallets/outcome.ts";
import { registerOpenApi } from "./schemas/openapi.ts";
import type { HttpSettings } from "./settings.ts";

export type AppOptions = {
  readonly deps: Deps;
  readonly log: Log;
  readonly settings: HttpSettings;
  readonly version: string;
  /** Folder of the built web page. Where it is undefined or has no index.html, GET / answers how to build the page. */
  readonly pageRoot: string | undefined;
  /** Test accounts of the embedded devnet, where one is served. */
  readonly testWallet?: TestWalletPort | undefined;
  /** API keys. Absent: every request is anonymous. */
  readonly keys?: KeyPort | undefined;
  /** Token logos. Absent: no token has one. */
  readonly logos?: LogoPort | undefined;
};

const noLogos: LogoPort = { has: () => false, of: async () => undefined };

export type Service = {
  readonly app: App;
  /** Starts the reference offers, by which the service measures how accurate its quotes are. */
  measure(): void;
  /** Graceful shutdown: /readyz fails, connections close after their answer, and then the port is closed. */
  readonly drain: Drain["run"];
};

/** Registers every path of the API, in the order in which the OpenAPI document lists them. */
const routes: readonly ((app: App, context: Context) => void)[] = [
  priceRoute,
  quoteRoute,
  pricesRoute,
  streamRoute,
  keptQuoteRoute,
  accuracyRoute,
  tokenListRoutes,
  platformsRoute,
  gasPricesRoute,
  sourcesRoute,
  tokenRoute,
  logoRoute,
  balancesRoute,
  allowanceRoute,
  approveRoute,
  outcomeRoute,
  healthRoutes,
  statusRoute,
  errorsRoutes,
  devnetRpcRoute,
];

/** Creates the HTTP server over the use cases. It does not listen yet. */
export async function createApp(options: AppOptions): Promise<Service> {
  const { log, settings, version } = options;
  const gate = createGate(settings.maxConcurrent);
  const accuracy = createAccuracy(() => deps, {
    isBusy: () => gate.running() > 0,
    onBug: (err) => log.error({ err }, "a bug in the service's own offers"),
  });
  const metrics = createMetrics({ ...options.deps, accuracy }, gate, settings.processMetrics);
  const deps: Deps = { ...observed(options.deps, metrics), accuracy };
  const app = createServer(settings, log);
  const drain = createDrain(app, gate);
  registerUnread(app, settings.unreadTimeoutMs);
  registerHeaders(app, drain.begun);
  registerMetrics(app, metrics);
  registerFailures(app, log);
  registerExpectations(app);
  const { keys = noKeys } = options;
  const charge = registerLimits(app, { ...deps, settings, keys, onLimited: metrics.limited });
  registerDefaultFees(app);
  registerBodies(app);
  await registerOpenApi(app, version);
  const { testWallet, logos = noLogos } = options;
  const context = {
    deps,
    log,
    gate,
    metrics,
    charge,
    settings,
    keys,
    version,
    testWallet,
    logos,
    draining: drain.begun,
  };
  for (const route of routes) route(app, context);
  await registerPage(app, options.pageRoot);
  app.addHook("preClose", async () => accuracy.stop());
  return {
    app,
    measure: accuracy.start,
    drain: drain.run,
  };
}

function createServer(settings: HttpSettings, log: Log): App {
  return fastify<Server>({
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: (_address: string, hop: number) => hop < settings.trustedProxies,
    genReqId: ({ headers }) => requestIdOf(headers),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    http: {
      // registerExpectations answers requests without a Host header, with an error body.
      requireHostHeader: false,
      maxHeaderSize: settings.urlLimitBytes + settings.headerLimitBytes,
      headersTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: settings.timeoutCheckMs,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, settings.urlLimitBytes),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      sendFailure(error, request, reply, log);
    },
  })
    .setValidatorCompiler(() => () => true)
    .withTypeProvider<TypeBoxTypeProvider>();
}

/** Sets the common headers on every response, and answers CORS preflight requests. */
function registerHeaders(app: App, draining: () => boolean): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    done();
  });
  // In onSend, so that requests in flight when shutdown begins also close their connection.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (draining()) reply.header("connection", "close");
    done();
  });
  app.options("*", { schema: { hide: true } }, async (_request, reply) =>
    reply.code(204).headers(preflightHeaders).send(),
  );
}

function registerMetrics(app: App, metrics: Metrics): void {
  app.addHook("onResponse", ({ method, routeOptions }, reply, done) => {
    metrics.answered({
      method,
      route: routeOptions.url ?? "unknown",
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}
