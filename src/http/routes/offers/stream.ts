import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { callerOf } from "../../../core/callers/caller.ts";
import { BraidError } from "../../../core/errors.ts";
import type { Deps } from "../../../service/deps.ts";
import { keepPrice } from "../../../service/explain/record.ts";
import type { KeyPort } from "../../../service/ports/ports-access.ts";
import { createFeed, type FeedEvent } from "../../../service/streams/feed.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { type EventStream, type Message, messageOf, openEventStream } from "../../event-stream.ts";
import { presentFailure, presentOffer } from "../../present/present.ts";
import { ChainParams, failureResponses } from "../../schemas/schemas.ts";
import { slippageOrOne, swapQuery, swapRequest, swapRules } from "../../schemas/swap-query.ts";

const { min_block: _now, ...query } = swapQuery;

const schema = {
  tags: ["swap"],
  operationId: "priceStream",
  summary: "Server-sent events: what price answers, again after each block in which it changes",
  description:
    "Events: `offer` with the answer of price, `failed` with the parts of a failure, `end` with a reason. An id is the digest of " +
    "what was offered, so a reader who comes back with Last-Event-ID is told only what is new.",
  params: ChainParams,
  querystring: Type.Object({ ...query, slippage: slippageOrOne }),
  response: {
    200: {
      description: "The events, until one side closes the connection",
      content: { "text/event-stream": { schema: Type.String() } },
    },
    ...failureResponses,
  },
};

/** Interval at which the keys of open streams are checked: a stream ends at most this long after its key is revoked. */
const KEY_CHECK_MS = 1_000;

/** Open streams, with their callers and the ids of the API keys that they were opened with; undefined = anonymous. */
type Open = Map<EventStream, { readonly caller: string; readonly key: string | undefined }>;

/** GET /v1/{chainID}/price/stream */
export function streamRoute(app: App, { deps, gate, log, settings, keys, draining }: Context): void {
  const feed = createFeed(deps, {
    idle: gate.idle,
    onBug: (err) => log.error({ err }, "a bug in a stream"),
  });
  const messageFor = createMessages(deps);
  const open: Open = new Map();
  const callers = new Map<string, number>();
  endAll(app, open, keys);
  // A stream that answers HEAD would send nothing and never end, and its connection would answer no other request.
  const options = { ...checked(schema, swapRules), exposeHeadRoute: false };
  app.get("/v1/:chainID/price/stream", options, async (request, reply) => {
    const caller = callerOf(request.ip);
    const count = callers.get(caller) ?? 0;
    if (draining()) throw full("The service is ending.");
    if (count >= settings.maxStreamsPerCaller)
      throw full(`${count} streams of ${caller} are open, which is the most.`);
    const isFull = open.size >= settings.maxStreams;
    const yielding = isFull ? yieldingTo(count, open, callers) : undefined;
    if (isFull && yielding === undefined) throw full(`${open.size} streams are open, which is the most.`);
    let stream: EventStream | undefined;
    const early: FeedEvent[] = [];
    const stop = feed.follow(swapRequest(request.params.chainID, request.query), caller, (event) =>
      stream === undefined ? void early.push(event) : stream.send(messageFor(event, caller)),
    );
    yielding?.end("the service has no room for this many streams of one caller");
    callers.set(caller, count + 1);
    const ended = () => {
      stop();
      if (stream !== undefined) open.delete(stream);
      const left = callers.get(caller)! - 1;
      if (left === 0) callers.delete(caller);
      else callers.set(caller, left);
    };
    stream = begin(request, reply, ended);
    open.set(stream, { caller, key: request.accessKey?.id });
    for (const event of early) stream.send(messageFor(event, caller));
    return reply;
  });
}

/**
 * Creates the messages of events, one per event for all clients that follow the same request. The record of an offer is
 * stored when its message is first sent, without an owner, so that every caller who knows its id can read it.
 */
function createMessages(deps: Deps) {
  const known = new WeakMap<FeedEvent, Message>();
  const made = (event: FeedEvent, caller: string): Message => {
    if (event.kind === "failed") {
      const data = presentFailure(event.failure);
      return messageOf("failed", { reason: data.reason }, () => data);
    }
    // The event's id is a digest of these fields only: others, such as the block, change without the offer changing.
    const { amount_in, amount_out_total, min_amount_out, estimate_gas_total, routes } = presentOffer(
      deps,
      event.priced.offer,
    );
    const same = { amount_in, amount_out_total, min_amount_out, estimate_gas_total, routes };
    return messageOf("offer", same, () =>
      presentOffer(deps, event.priced.offer, keepPrice(deps, event.priced, { caller, owner: undefined })),
    );
  };
  return (event: FeedEvent, caller: string): Message => {
    const message = known.get(event) ?? made(event, caller);
    known.set(event, message);
    return message;
  };
}

/**
 * The stream that ends where all are taken: the newest of the caller with the most; undefined where the new caller would
 * then have no fewer than that caller.
 *
 * @param count streams that the new caller has
 */
function yieldingTo(
  count: number,
  open: Open,
  callers: ReadonlyMap<string, number>,
): EventStream | undefined {
  const [caller, most] = [...callers].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
  if (most <= count + 1) return undefined;
  return [...open].findLast(([, one]) => one.caller === caller)?.[0];
}

/** Ends streams when the service shuts down, and when the API key that they were opened with is revoked. */
function endAll(app: App, open: Open, keys: KeyPort): void {
  const check = setInterval(() => {
    for (const [stream, { key }] of open)
      if (key !== undefined && !keys.isValid(key)) stream.end("the API key was revoked");
  }, KEY_CHECK_MS).unref();
  app.addHook("preClose", async () => {
    clearInterval(check);
    for (const stream of open.keys()) stream.end("the service is ending");
  });
}

function full(message: string): BraidError {
  return new BraidError("OVERLOADED", message, { retryAfterSeconds: 10 });
}

function begin(request: FastifyRequest, reply: FastifyReply, onEnd: () => void): EventStream {
  reply.hijack();
  const headers = reply.getHeaders() as Record<string, string>;
  reply.raw.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    // Asks buffering proxies, such as nginx, to pass each event on at once.
    "x-accel-buffering": "no",
  });
  reply.raw.flushHeaders();
  const lastId = request.headers["last-event-id"];
  return openEventStream(reply.raw, typeof lastId === "string" ? lastId : undefined, onEnd);
}
