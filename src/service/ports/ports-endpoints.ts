/** What an endpoint was found to offer, when it was asked first. */
export type EndpointAbilities = {
  /** How the logs of a block are asked for. */
  readonly logs: "by hash" | "by number" | "none";
  /** Blocks of logs that one request may ask for, 10,000 where it takes these; null where it does not say. */
  readonly logRangeBlocks: number | null;
  /** `proven`: receipts hash to the root in the header, so that logs need not be believed. */
  readonly receipts: "proven" | "unproven" | "none";
  readonly callsByHash: boolean;
  readonly overrides: boolean;
  /** Gas that a call may use; null where it cannot be told. */
  readonly callGas: number | null;
};

/** One endpoint of a chain's nodes, for operators. */
export type EndpointReport = {
  /** Requests may go there now. */
  readonly usable: boolean;
  /** Failed requests since the start, by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Time of its last answers that half, and 95 of 100, stayed under; undefined before there are some. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
  /** Blocks that its newest head is behind the newest one of all endpoints; undefined before its first. */
  readonly behindBlocks: number | undefined;
  /** Undefined until it was asked. */
  readonly abilities: EndpointAbilities | undefined;
  /** Most requests in one body, as far as it was learnt. */
  readonly batchSize: number;
  /** Why an answer of the last minutes cannot be true, or is contradicted by another endpoint. */
  readonly doubt: string | undefined;
};
