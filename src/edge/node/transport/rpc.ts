import { performance } from "node:perf_hooks";
import { elapsedMs } from "../../elapsed.ts";
import type { Answer, Endpoint } from "../endpoint.ts";
import { believed, isDoubted, isUsable, median, p95 } from "../health.ts";
import { backoff, sleep } from "../pace/pace.ts";
import type { Urgency } from "../pace/token-bucket.ts";
import type { Request } from "../types.ts";
import { type FailureKind, NodeFailure } from "./failure.ts";

export type RpcSettings = {
  /**
   * An attempt on one endpoint ends after this; each repetition on the same endpoint gets twice as long, up to 8 times.
   */
  readonly attemptMs: number;
  /** A request ends after this, all attempts together, unless its options say otherwise. */
  readonly deadlineMs: number;
  /** Bounds of the time after which the request also goes to a second endpoint. */
  readonly hedgeMinMs: number;
  readonly hedgeMaxMs: number;
  /** Endpoints more than this many blocks behind the highest known head are not used. */
  readonly lagBlocks: number;
};

export type RequestOptions = {
  readonly deadlineMs?: number;
  /** As in the settings, for requests that are too large for the time there. */
  readonly attemptMs?: number;
  /** Priority where an endpoint's rate limit holds requests back; "normal" by default. */
  readonly urgency?: Urgency;
  /**
   * The answer needs this block: endpoints that have not reported it yet come last. "newest": the answer is about the
   * newest block, so an endpoint below the highest reported head is asked only where those at that head fail.
   */
  readonly block?: number | "newest";
  /**
   * Why an answer cannot be true, or undefined where it can. An answer that cannot be true fails as `refused` and is
   * asked for elsewhere. May throw another NodeFailure for it, such as `missing` where the answer is of a block that
   * left the chain.
   */
  readonly doubt?: (result: unknown, index: number) => string | Promise<string | undefined> | undefined;
  /** Labels of endpoints that are not asked, to get an answer from another one. */
  readonly without?: ReadonlySet<string>;
};

export type Rpc = {
  /**
   * Answers in order; a failed item is an answer.
   *
   * @throws NodeFailure where the deadline passes before every item has one
   */
  batch(requests: readonly Request[], options?: RequestOptions): Promise<Answer[]>;
  /** One request. @throws NodeFailure */
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
};

/**
 * Retries of one item by kind of failure, where `others` more endpoints can be asked; 0 = the failure is the answer.
 */
const retries: Readonly<Record<FailureKind, (others: number) => number>> = {
  transport: () => Number.POSITIVE_INFINITY,
  "rate-limit": () => Number.POSITIVE_INFINITY,
  missing: () => 4,
  refused: () => 4,
  rpc: () => 1,
  unsupported: (others) => others,
  range: (others) => others,
  reverted: () => 0,
};

type Item = { readonly request: Request; readonly index: number; tries: number; answer: Answer | undefined };

/**
 * Sends requests to the best endpoint of one chain in the order of `preference`, hedges them, and retries failures
 * elsewhere.
 *
 * @param over ends all requests in flight
 * @param onDoubt called with the endpoint's label and the reason where an answer cannot be true
 */
export function createRpc(
  endpoints: readonly Endpoint[],
  settings: RpcSettings,
  over: AbortSignal,
  onDoubt: (label: string, why: string) => void = () => undefined,
): Rpc {
  const batch: Rpc["batch"] = async (requests, options = {}) => {
    const items = requests.map((request, index): Item => ({ request, index, tries: 0, answer: undefined }));
    const deadline = performance.now() + (options.deadlineMs ?? settings.deadlineMs);
    await settle(items, { endpoints, settings, options, deadline, over, onDoubt, asked: new Map() });
    return items.map((item) => item.answer as Answer);
  };
  return {
    batch,
    async request(method, params, options) {
      const [answer] = await batch([{ method, params }], options);
      if (answer?.ok === true) return answer.result;
      throw answer?.failure;
    },
  };
}

type Context = {
  readonly endpoints: readonly Endpoint[];
  readonly settings: RpcSettings;
  readonly options: RequestOptions;
  readonly deadline: number;
  readonly onDoubt: (label: string, why: string) => void;
  /** Fires when the client is stopped. */
  readonly over: AbortSignal;
  /** How often each endpoint was asked for these items. */
  readonly asked: Map<Endpoint, number>;
};

/** Asks in rounds until every item has its answer. */
async function settle(items: readonly Item[], context: Context): Promise<void> {
  let failure = new NodeFailure("transport", "no endpoint is usable");
  let pending = items;
  for (let round = 0; pending.length > 0; round++) {
    const left = context.deadline - performance.now();
    if (left <= 0 || context.over.aborted) throw failure;
    const order = preference(context);
    await sleep(Math.min(pauseBefore(order, context.asked, round), left), context.over);
    if (order.length > 0) failure = (await askFor(pending, order, context)) ?? failure;
    pending = items.filter((item) => item.answer === undefined);
  }
}

/**
 * Milliseconds before the next round: none while an endpoint has not been asked yet, then growing with each turn of
 * all.
 */
function pauseBefore(
  order: readonly Endpoint[],
  asked: ReadonlyMap<Endpoint, number>,
  round: number,
): number {
  const [next] = order;
  if (next === undefined) return 50;
  return asked.has(next) ? backoff(Math.floor(round / order.length) - 1, 40, 1000) : 0;
}

/**
 * Milliseconds for which the head of a node that went down still counts, so that a lagging node is not taken for up to
 * date.
 */
const HEAD_REMEMBERED_MS = 300_000;

const height = ({ health }: Endpoint): number => health.head?.number ?? -1;

/**
 * Usable endpoints that do not lag, best first: by how often they were asked for these items, then by whether an answer
 * of theirs was false lately, whether they hold the block, and how fast they are.
 */
function preference({ endpoints, settings, options, asked }: Context): Endpoint[] {
  const now = performance.now();
  const remembered = endpoints.filter(
    ({ health }) => !health.wrongChain && elapsedMs() - health.headAt < HEAD_REMEMBERED_MS,
  );
  const freshest = Math.max(-1, ...believed(remembered, now).map(height));
  const fresh = endpoints.filter(
    (endpoint) =>
      isUsable(endpoint.health, now) &&
      height(endpoint) >= freshest - settings.lagBlocks &&
      options.without?.has(endpoint.label) !== true,
  );
  const block = options.block === "newest" ? freshest : options.block;
  const rank = (endpoint: Endpoint) =>
    (isDoubted(endpoint.health, now) ? 1e7 : 0) +
    (asked.get(endpoint) ?? 0) * 1e9 +
    (block !== undefined && height(endpoint) < block ? 1e6 : 0) +
    endpoint.waitMs() +
    median(endpoint.health);
  return fresh.sort((a, b) => rank(a) - rank(b));
}

/**
 * One round: sets the answers of items that need no retry; returns the last failure, undefined where nothing failed.
 */
async function askFor(
  pending: readonly Item[],
  order: readonly Endpoint[],
  context: Context,
): Promise<NodeFailure | undefined> {
  const requests = pending.map((item) => item.request);
  const answers = await hedged(requests, order, context).catch((error: unknown) => {
    if (!(error instanceof NodeFailure)) throw error;
    return requests.map((): Answer => ({ ok: false, failure: error }));
  });
  let failure: NodeFailure | undefined;
  for (const [k, item] of pending.entries()) {
    const answer = await doubted(answers[k] as Answer, item.index, context);
    if (!answer.ok) failure = answer.failure;
    if (answer.ok || ++item.tries > retries[answer.failure.kind](order.length - 1)) item.answer = answer;
  }
  return failure;
}

async function doubted(answer: Answer, index: number, { options, onDoubt }: Context): Promise<Answer> {
  if (!answer.ok || options.doubt === undefined) return answer;
  const failure = await failureIn(options.doubt, answer.result, index);
  if (failure === undefined) return answer;
  if (failure.kind === "refused" && answer.by !== undefined) onDoubt(answer.by, failure.message);
  return { ...answer, ok: false, failure };
}

async function failureIn(
  doubt: NonNullable<RequestOptions["doubt"]>,
  result: unknown,
  index: number,
): Promise<NodeFailure | undefined> {
  try {
    const why = await doubt(result, index);
    return why === undefined ? undefined : new NodeFailure("refused", why);
  } catch (error) {
    if (error instanceof NodeFailure) return error;
    throw error;
  }
}

/**
 * Asks the first endpoint, and also the second where the first takes longer than 1.5 times its 95th percentile, within
 * the bounds of the settings. The first answer wins. An answer about the newest block is not asked for at a second
 * endpoint that is behind the first.
 */
async function hedged(
  requests: readonly Request[],
  [first, next]: readonly Endpoint[],
  { settings, options, deadline, asked, over }: Context,
): Promise<Answer[]> {
  const isOlder = options.block === "newest" && next !== undefined && height(next) < height(first!);
  const second = isOlder ? undefined : next;
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, over]);
  const leftMs = deadline - performance.now();
  // A request that takes longer than one attempt, such as the logs of a very large block, gets more time in the next.
  const attemptMs = (options.attemptMs ?? settings.attemptMs) * 2 ** Math.min(3, asked.get(first!) ?? 0);
  const timeoutMs = Math.max(1, Math.ceil(Math.min(attemptMs, leftMs)));
  const ask = (endpoint: Endpoint) => {
    asked.set(endpoint, (asked.get(endpoint) ?? 0) + 1);
    return endpoint.send(requests, timeoutMs, signal, {
      urgency: options.urgency ?? "normal",
      waitMs: leftMs,
    });
  };
  try {
    const primary = ask(first as Endpoint);
    if (second === undefined) return await primary;
    const usual = p95(first!.health, settings.hedgeMaxMs / 2) * 1.5;
    const patience = Math.min(settings.hedgeMaxMs, Math.max(settings.hedgeMinMs, usual));
    const settled = primary.then(
      () => true,
      () => true,
    );
    const slow = await Promise.race([settled.then(() => false), sleep(patience, signal).then(() => true)]);
    if (!slow) return await primary;
    return await Promise.any([primary, ask(second)]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    enough.abort();
  }
}
