/** The capabilities that the first probe of an endpoint found. */
export type EndpointAbilities = {
  /** How the endpoint serves the logs of a block. */
  readonly logs: "by hash" | "by number" | "none";
  /** Largest block range of one log request, 10,000 where the endpoint accepts that; null where it is not known. */
  readonly logRangeBlocks: number | null;
  /** `proven`: the receipts hash to the receipts root in the header, so logs can be verified instead of trusted. */
  readonly receipts: "proven" | "unproven" | "none";
  readonly callsByHash: boolean;
  readonly overrides: boolean;
  /** Gas cap of eth_call; null where it is not known. */
  readonly callGas: number | null;
};

/** One endpoint of a chain's nodes, for operators. */
export type EndpointReport = {
  /** Whether requests may be sent to it now. */
  readonly usable: boolean;
  /** Why the last request for its head failed, without its URL; undefined where it did not. */
  readonly trouble: string | undefined;
  /** Failed requests since the start, by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Median and 95th percentile of its recent response times; undefined before there are any. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
  /** Number of blocks by which its head is behind the newest head of all endpoints; undefined before its first head. */
  readonly behindBlocks: number | undefined;
  /** Undefined until the endpoint is probed. */
  readonly abilities: EndpointAbilities | undefined;
  /** Largest batch that it accepts, in requests, as far as is known. */
  readonly batchSize: number;
  /** Why an answer of the last 10 minutes cannot be true, or how it contradicts another endpoint. */
  readonly doubt: string | undefined;
};
