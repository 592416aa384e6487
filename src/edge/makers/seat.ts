import type { Logger } from "pino";
import { forgetOldest } from "../../core/forget-oldest.ts";
import { inventoryId } from "../../core/rfq.ts";
import type { Address } from "../../core/types.ts";
import type { FirmAsk, MakerHealth, MakerOutcome, MakersPort } from "../../service/ports/ports-makers.ts";
import type { Market } from "../market/market.ts";
import { openAirSwapDoor } from "./airswap/door.ts";
import type { ReadChain } from "./airswap/facts.ts";
import type { CheckOrder } from "./airswap/order-facts.ts";
import { openBraidDoor } from "./braid/door.ts";
import { pricesOf } from "./braid/levels-answer.ts";
import type { CheckSignature } from "./contract-signature.ts";
import type { Door, Judged } from "./door.ts";
import type { MakerSettings } from "./makers-file.ts";
import type { Pusher, Refusal } from "./push/pusher.ts";
import { createShelf, type Shelf } from "./shelf.ts";
import type { MakerMemory } from "./standing/memory.ts";
import { createPromised, type Promised } from "./standing/promised.ts";
import { createReputation, type Reputation } from "./standing/reputation.ts";

/** Age at which a maker's levels are removed from the market, milliseconds. */
export const STALE_MS = 2_000;
/** Timeout of a request for levels, milliseconds. After one lost request, the next can be answered before STALE_MS. */
const LEVELS_TIMEOUT_MS = 900;

/**
 * A late order is a fade only of a maker that had the request for at least this long, milliseconds. The time that a
 * request's search took is deducted from what its makers have, and so is a wait for a connection: callers choose what
 * they request, and how many of them at once.
 */
const FAIR_MS = 150;

/**
 * Late and failed orders within this time of one that counted do not count, milliseconds: a pause or a restart of the
 * maker loses all orders that are requested meanwhile, and its levels are used for that long.
 */
const OUTAGE_MS = STALE_MS;

/** One maker: its levels, its orders and its reputation. */
export type Seat = {
  readonly maker: MakerSettings;
  readonly firm: (wanted: FirmAsk, timeoutMs: number) => ReturnType<MakersPort["firm"]>;
  /** Records that the order with this nonce was given and then not honoured on the chain; each nonce counts once. */
  readonly broke: (nonce: bigint) => void;
  /** Whether this maker gave the order with this nonce; it remembers the newest orders. */
  readonly gave: (nonce: bigint) => boolean;
  readonly tokens: () => ReadonlySet<Address>;
  readonly health: () => MakerHealth;
  /** Requests levels once and commits them to the market; does nothing while the maker is blocked. */
  poll(): Promise<void>;
  /** Receives the maker's pushed levels; undefined where the maker is polled. */
  readonly pusher: Pusher | undefined;
  /** Removes levels as old as STALE_MS, and all levels of a blocked maker. */
  expire(): void;
  close(): void;
};

export type SeatParts = {
  readonly market: Pick<Market, "amend" | "book">;
  readonly monotonicMs: () => number;
  readonly checkSignature: CheckSignature;
  readonly checkOrder: CheckOrder;
  /** Reads contracts at the newest block. */
  readonly readChain: ReadChain;
  /** Absent: a restart forgets how makers behaved. */
  readonly memory?: MakerMemory | undefined;
  readonly log: Logger;
};

type Open = SeatParts & {
  readonly maker: MakerSettings;
  readonly door: Door;
  readonly reputation: Reputation;
  readonly shelf: Shelf;
  readonly promised: Promised;
  readonly orders: Record<MakerOutcome, number>;
  /** Monotonic time of the last late or failed order that counted as a fade. */
  outageMs: number;
  /** Nonces of the newest orders that were given. */
  readonly given: Set<bigint>;
  /** Nonces of orders that were given and not honoured. */
  readonly broken: Set<bigint>;
  /** Why the newest levels are unusable, or which of them are; undefined where all are usable. */
  trouble: string | undefined;
};

export function createSeat(maker: MakerSettings, parts: SeatParts): Seat {
  const door = maker.airSwap
    ? openAirSwapDoor({ ...maker, airSwap: maker.airSwap }, parts)
    : openBraidDoor(maker, parts.checkSignature);
  const seat: Open = {
    ...parts,
    ...{ maker, door },
    reputation: createReputation(parts.monotonicMs, parts.memory?.of(nameOf(maker))),
    shelf: createShelf(parts.market, inventoryId(maker.id), parts.monotonicMs),
    promised: createPromised(parts.monotonicMs),
    orders: { given: 0, refused: 0, late: 0, worse: 0, invalid: 0, failed: 0, unchecked: 0, reverted: 0 },
    ...{ given: new Set(), broken: new Set(), outageMs: Number.NEGATIVE_INFINITY },
    trouble: "no levels yet",
  };
  parts.memory?.follow(nameOf(maker), seat.reputation.standing);
  return {
    maker,
    firm: (wanted, timeoutMs) => firm(seat, wanted, timeoutMs),
    broke: (nonce) => broke(seat, nonce),
    gave: (nonce) => seat.given.has(nonce),
    tokens: seat.shelf.tokens,
    health: () => healthOf(seat),
    poll: () => poll(seat),
    pusher: pusherOf(seat),
    expire() {
      if (isBlocked(seat) || seat.shelf.ageMs() >= STALE_MS) seat.shelf.clear();
    },
    close: door.close,
  };
}

const nameOf = ({ chainId, name }: MakerSettings): string => `${chainId} ${name}`;

const isBlocked = ({ reputation }: Open): boolean => reputation.blockedForMs() > 0;

/** Most nonces kept of orders that were given: those of some minutes, after which orders have expired. */
const MOST_GIVEN = 10_000;

async function firm(seat: Open, wanted: FirmAsk, timeoutMs: number): ReturnType<MakersPort["firm"]> {
  if (isBlocked(seat)) return undefined;
  const { maker, reputation, promised, log } = seat;
  const settle = promised.ask(wanted.makerToken, wanted.promised);
  const judged = notBroken(seat, await seat.door.firm(wanted, timeoutMs));
  const { outcome, order } = judged;
  const isFade = outcome !== "given" && !isExcused(seat, judged, wanted) && !isOfOutage(seat, outcome);
  settle(outcome === "given");
  seat.orders[outcome]++;
  if (order !== undefined) forgetOldest(seat.given.add(order.order.nonce), MOST_GIVEN);
  if (outcome === "given" || isFade) reputation.note(isFade);
  if (outcome !== "given") log.info({ maker: maker.name, outcome }, "a maker gave no order");
  leaveIfBlocked(seat);
  return order;
}

/** The result, but for an order whose nonce is that of an order that was not honoured: every order needs a fresh one. */
function notBroken({ broken }: Open, judged: Judged): Judged {
  const isAgain = judged.order !== undefined && broken.has(judged.order.order.nonce);
  return isAgain ? { outcome: "invalid", order: undefined } : judged;
}

/** Whether a missing order says nothing about the maker, because the caller or a node may be its cause. */
function isExcused(
  { shelf, promised }: Open,
  { outcome, hadMs = 0 }: Judged,
  { taker, makerToken }: FirmAsk,
): boolean {
  if (outcome === "unchecked") return true;
  if (outcome === "late") return hadMs < FAIR_MS;
  if (outcome !== "refused") return false;
  // A maker may screen takers, and the caller chooses the taker.
  if (taker !== undefined) return true;
  // A maker that has signed its inventory away must refuse, and callers choose how many orders they request.
  const stock = shelf.stockOf(makerToken);
  return stock !== undefined && promised.of(makerToken) > stock;
}

/** Whether an order was lost in an outage that has counted already; notes the beginning of another one. */
function isOfOutage(seat: Open, outcome: MakerOutcome): boolean {
  if (outcome !== "late" && outcome !== "failed") return false;
  const nowMs = seat.monotonicMs();
  if (nowMs - seat.outageMs < OUTAGE_MS) return true;
  seat.outageMs = nowMs;
  return false;
}

/** Most nonces kept of orders that were not honoured. Orders expire within minutes, so older nonces are not needed. */
const MOST_BROKEN = 1_000;

function broke(seat: Open, nonce: bigint): void {
  const { broken, orders, reputation, maker, log } = seat;
  if (broken.has(nonce)) return;
  broken.add(nonce);
  forgetOldest(broken, MOST_BROKEN);
  orders.reverted++;
  log.info({ maker: maker.name, nonce: String(nonce) }, "a maker's order was not honoured on the chain");
  if (isBlocked(seat)) return;
  reputation.broke();
  leaveIfBlocked(seat);
}

function leaveIfBlocked(seat: Open): void {
  if (!isBlocked(seat)) return;
  const { maker, reputation, log } = seat;
  log.warn({ maker: maker.name, ms: Math.round(reputation.blockedForMs()) }, "maker blocked");
  seat.shelf.clear();
  seat.memory?.save();
}

async function poll(seat: Open): Promise<void> {
  if (isBlocked(seat)) return;
  const { door, shelf } = seat;
  const askedAt = seat.monotonicMs();
  const prices = await door.levels(LEVELS_TIMEOUT_MS);
  if (isBlocked(seat)) return;
  seat.trouble = typeof prices === "string" ? prices : prices.gap;
  if (typeof prices !== "string") shelf.put(prices, askedAt);
}

function pusherOf(seat: Open): Pusher | undefined {
  const { name, secret, pushes } = seat.maker;
  if (!pushes || secret === undefined) return undefined;
  return { name, secret, push: (levels, ageMs) => push(seat, levels, ageMs) };
}

function push(seat: Open, levels: unknown, ageMs: number): Refusal | undefined {
  if (isBlocked(seat)) {
    const seconds = Math.ceil(seat.reputation.blockedForMs() / 1_000);
    return {
      status: 403,
      why: `x-braid-maker: "${seat.maker.name}": blocked for ${seconds} s: too many orders were not given`,
    };
  }
  const prices = pricesOf(seat.maker, levels);
  seat.trouble = typeof prices === "string" ? prices : undefined;
  if (typeof prices === "string") return { status: 400, why: prices };
  const isThere = seat.shelf.put(prices, seat.monotonicMs() - ageMs);
  return isThere
    ? undefined
    : { status: 503, why: `chain_id: ${seat.maker.chainId}: the chain is not followed yet` };
}

function healthOf(seat: Open): MakerHealth {
  const { maker, reputation, shelf, orders, trouble } = seat;
  const pairs = shelf.pools().length;
  return {
    name: maker.name,
    phase: isBlocked(seat) ? "blocked" : pairs > 0 ? "live" : "silent",
    pairs,
    orders: { ...orders },
    fadeRate: reputation.fadeRate(),
    blockedForMs: Math.round(reputation.blockedForMs()),
    trouble,
  };
}
