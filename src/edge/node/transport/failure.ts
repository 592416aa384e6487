/**
 * What went wrong with a node, by what the client does about it:
 *
 * - `transport`: no usable answer (refused, reset, timeout, 5xx, HTML, oversized). Ask another endpoint; the breaker counts it.
 * - `rate-limit`: the endpoint wants a pause. Ask another one.
 * - `missing`: it does not know the block or its state (yet, or any more). Ask another one, or again a little later.
 * - `refused`: its answer is malformed or cannot be true, such as no logs where the header's bloom shows some.
 * - `range`: the log range is too wide, or the request or its answer too large. Ask for less.
 * - `unsupported`: the method or the form of a parameter is unknown to it.
 * - `reverted`: the call ran and failed. This is an answer.
 * - `rpc`: any other error object.
 */
export type FailureKind =
  | "transport"
  | "rate-limit"
  | "missing"
  | "refused"
  | "range"
  | "unsupported"
  | "reverted"
  | "rpc";

/** Description of each kind for the service's own answers. */
const WORDS: Readonly<Record<FailureKind, string>> = {
  transport: "no usable answer",
  "rate-limit": "requests are refused for a while",
  missing: "the block or its state is missing",
  refused: "the answer cannot be true",
  range: "more was asked for than one answer may hold",
  unsupported: "a method is not supported",
  reverted: "a call reverted",
  rpc: "an error was answered",
};

/**
 * A failed request to a node. Its message may repeat the node's text, which may hold a URL with a key, so only the log
 * shows it.
 */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure";
  readonly kind: FailureKind;
  /** Revert data of a `reverted` call, where the node gave it. */
  readonly data: `0x${string}` | undefined;
  /** Milliseconds that a `rate-limit` answer asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    facts: { data?: `0x${string}` | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = kind;
    this.data = facts.data;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** A description that holds none of the node's text, for answers of the service. */
  get words(): string {
    return WORDS[this.kind];
  }
}

const RANGE =
  /block range|range (is )?too|too (large|wide) .*range|more than \d+ (results|logs)|too many (results|logs|addresses)|response size|(response|answer) (is )?too (large|big)|query (timeout|returned)|exceeds? (the )?(max(imum)? )?(results|range|block|addresses|topics)|exceeds limit of \d|limited to(?!.{0,30}(request|call|per |rps))|reduce the|init ?code size/i;
const RATE =
  /rate.?limit|too many requests|(request|daily|monthly|compute).{0,24}(limit|capacity|quota)|exceeded.{0,24}(limit|capacity|quota)|throttl/i;
/** The node is behind: text about a range that ends above its head, which is no limit of the range's size. */
const BEHIND =
  /(beyond|after|above|exceeds) (the )?(current |latest |last |chain )*(head|tip|accepted)\b|in(to)? the future|unfinalized/i;
/** Public endpoints that take no filter of topics alone. */
const UNFILTERED = /specify an address|missing field .?address/i;
const MISSING =
  /header (for hash )?not found|not currently canonical|block.{0,80} (cannot|could not) be found|unknown block|block not found|resource not found|missing trie node|state .*(not available|unavailable|pruned)|pruned|could not find block|not found: block|no state available|historical state/i;
const UNSUPPORTED = /method .*(not|unsupported)|not supported|does not exist\/is not available|unsupported/i;
const REVERTED =
  /revert|out of gas|oog\b|invalid ?(fe)? ?opcode|opcode not found|invalid jump|stack (under|over)flow|evm error|vm (execution|exception)|write protection|gas required exceeds|insufficient funds|execution failed/i;

/**
 * The first match counts. The order matters: range limits often have the code of rate limits, and both texts say
 * "limit"; a node that is behind speaks of the range too.
 */
const BY_TEXT: readonly (readonly [FailureKind, RegExp])[] = [
  ["missing", BEHIND],
  ["unsupported", UNFILTERED],
  ["range", RANGE],
  ["rate-limit", RATE],
  ["missing", MISSING],
  ["reverted", REVERTED],
  ["unsupported", UNSUPPORTED],
];

const BY_CODE: Readonly<Record<number, FailureKind>> = {
  3: "reverted",
  429: "rate-limit",
  [-32001]: "missing",
  [-32004]: "unsupported",
  [-32005]: "rate-limit",
  [-32011]: "rate-limit",
  [-32015]: "reverted",
  [-32601]: "unsupported",
  [-32602]: "unsupported",
};

/** Codes that decide the kind whatever the text is. */
const FIRM_CODES: ReadonlySet<number> = new Set([3, 429, -32011, -32601]);

/** The failure that the error object of a JSON-RPC answer describes. */
export function failureOf(error: unknown): NodeFailure {
  const { code, message, data } = readError(error);
  const coded = BY_CODE[code];
  const kind =
    coded !== undefined && FIRM_CODES.has(code)
      ? coded
      : (BY_TEXT.find(([, pattern]) => pattern.test(message))?.[0] ?? coded ?? "rpc");
  return new NodeFailure(kind, `${message} (${code})`, { data: kind === "reverted" ? data : undefined });
}

/** The failure that an HTTP status with a body that is no JSON-RPC answer describes. */
export function failureOfHttp(status: number, body: string, retryAfter: string | null): NodeFailure {
  const seconds = Number(retryAfter);
  const retryAfterMs = retryAfter !== null && seconds > 0 ? seconds * 1000 : undefined;
  if (status === 429 || (status !== 413 && RATE.test(body.slice(0, 1000)))) {
    return new NodeFailure("rate-limit", `HTTP ${status}: rate limited`, { retryAfterMs });
  }
  return new NodeFailure(status === 413 ? "range" : "transport", `HTTP ${status}: not a JSON-RPC answer`);
}

function readError(error: unknown): { code: number; message: string; data: `0x${string}` | undefined } {
  if (typeof error !== "object" || error === null)
    return { code: 0, message: String(error), data: undefined };
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" ? message.slice(0, 500) : "unnamed error",
    data: revertData(data),
  };
}

/** Objects around revert data that are looked into. */
const MOST_AROUND = 4;

/** Revert data of an error object: nodes put it in `data`, in `data.data`, or behind a word such as "Reverted 0x…". */
function revertData(given: unknown): `0x${string}` | undefined {
  let data = given;
  for (let k = 0; k < MOST_AROUND && typeof data === "object" && data !== null; k++)
    data = (data as { data?: unknown }).data;
  if (typeof data !== "string") return undefined;
  const hex = /0x(?:[0-9a-fA-F]{2})*$/.exec(data)?.[0];
  return hex?.toLowerCase() as `0x${string}` | undefined;
}
