/** The limits of the HTTP face; `main.ts` fills them from the configuration. */
export type HttpSettings = {
  readonly bodyLimitBytes: number;
  readonly urlLimitBytes: number;
  readonly headerLimitBytes: number;
  /** A request that has not wholly arrived after this is answered with 408. */
  readonly requestTimeoutMs: number;
  /** How often slow requests are looked for. */
  readonly timeoutCheckMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Requests per minute and address; 0 = no limit. */
  readonly rateLimitPerMinute: number;
  /** Whether requests without a key are refused. */
  readonly requireApiKey: boolean;
  /** Prices and quotes in work at one time; more are answered with 503. */
  readonly maxConcurrent: number;
  /** Streams of offers that are open at one time, in all and for one caller; more are answered with 503. */
  readonly maxStreams: number;
  readonly maxStreamsPerCaller: number;
  /** Proxies in front that each append to X-Forwarded-For: the caller is so many entries from its right. */
  readonly trustedProxies: number;
  /** Whether /metrics tells of the process too: memory, event loop, garbage collection. */
  readonly processMetrics: boolean;
};

/** What the operator may set has its default here alone: the configuration reads it. */
export const defaultHttpSettings: HttpSettings = {
  bodyLimitBytes: 256 * 1024,
  urlLimitBytes: 8 * 1024,
  headerLimitBytes: 16 * 1024,
  requestTimeoutMs: 15_000,
  timeoutCheckMs: 1_000,
  keepAliveTimeoutMs: 72_000,
  rateLimitPerMinute: 6_000,
  requireApiKey: false,
  maxConcurrent: 64,
  maxStreams: 1_000,
  maxStreamsPerCaller: 50,
  trustedProxies: 0,
  processMetrics: true,
};
