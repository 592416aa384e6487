/** Limits of the HTTP server; `main.ts` sets them from the configuration. */
export type HttpSettings = {
  readonly bodyLimitBytes: number;
  readonly urlLimitBytes: number;
  readonly headerLimitBytes: number;
  /** A request that has not arrived completely after this time is answered with 408. */
  readonly requestTimeoutMs: number;
  /** Interval at which requests are checked against `requestTimeoutMs`. */
  readonly timeoutCheckMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A connection whose client has read nothing of a waiting response for this long is destroyed. */
  readonly unreadTimeoutMs: number;
  /** Requests a minute of one IP address without an API key; 0 = no limit. */
  readonly rateLimitPerMinute: number;
  /** Whether requests without a key are refused. */
  readonly requireApiKey: boolean;
  /** Most price and quote requests that run at the same time; further ones are answered with 503. */
  readonly maxConcurrent: number;
  /** Most streams of offers open at the same time, in total and per caller; further ones are answered with 503. */
  readonly maxStreams: number;
  readonly maxStreamsPerCaller: number;
  /** Number of reverse proxies that append to X-Forwarded-For: the caller is this many entries from its right end. */
  readonly trustedProxies: number;
  /** Whether /metrics includes the process metrics: memory, event loop, garbage collection. */
  readonly processMetrics: boolean;
};

/** Default limits. The configuration takes its defaults from here, so that each is defined once. */
export const defaultHttpSettings: HttpSettings = {
  bodyLimitBytes: 256 * 1024,
  urlLimitBytes: 8 * 1024,
  headerLimitBytes: 16 * 1024,
  requestTimeoutMs: 15_000,
  timeoutCheckMs: 1_000,
  keepAliveTimeoutMs: 72_000,
  unreadTimeoutMs: 30_000,
  rateLimitPerMinute: 6_000,
  requireApiKey: false,
  maxConcurrent: 64,
  maxStreams: 1_000,
  maxStreamsPerCaller: 50,
  trustedProxies: 0,
  processMetrics: true,
};
