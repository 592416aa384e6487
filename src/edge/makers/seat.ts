import type { Logger } from "pino";
import type { Address } from "../../core/types.ts";
import type { FirmAsk, MakerHealth, MakerOutcome, MakersPort } from "../../service/ports/ports-makers.ts";
import type { Market } from "../market/market.ts";
import type { CheckSignature } from "./contract-signature.ts";
import { askFirm } from "./firm.ts";
import { pricesOf } from "./levels-answer.ts";
import type { MakerSettings } from "./makers-file.ts";
import { type AskMaker, connectMaker } from "./request.ts";
import { createShelf, type Shelf } from "./shelf.ts";
import type { MakerMemory } from "./standing/memory.ts";
import { createReputation, type Reputation } from "./standing/reputation.ts";

/** Levels are taken away when they are as old as this. */
export const STALE_MS = 2_000;
/** An answer may take this long, so that one that is lost leaves time for another. */
const LEVELS_TIMEOUT_MS = 900;

/** One maker: its levels, its orders and its reputation. */
export type Seat = {
  readonly maker: MakerSettings;
  readonly firm: (wanted: FirmAsk, timeoutMs: number) => ReturnType<MakersPort["firm"]>;
  readonly tokens: () => ReadonlySet<Address>;
  readonly health: () => MakerHealth;
  /** Asks for levels once, and takes them over. */
  poll(): Promise<void>;
  /** Takes levels away that are too old, and those of a maker that is blocked. */
  expire(): void;
  close(): void;
};

export type SeatParts = {
  readonly market: Pick<Market, "amend" | "book">;
  readonly monotonicMs: () => number;
  readonly checkSignature: CheckSignature;
  /** Absent: a restart forgets how makers behaved. */
  readonly memory?: MakerMemory | undefined;
  readonly log: Logger;
};

type Open = SeatParts & {
  readonly maker: MakerSettings;
  readonly ask: AskMaker;
  readonly reputation: Reputation;
  readonly shelf: Shelf;
  readonly orders: Record<MakerOutcome, number>;
  trouble: string | undefined;
};

export function createSeat(maker: MakerSettings, parts: SeatParts): Seat {
  const { ask, close } = connectMaker(maker);
  const seat: Open = {
    ...parts,
    ...{ maker, ask },
    reputation: createReputation(parts.monotonicMs, parts.memory?.of(nameOf(maker))),
    shelf: createShelf(parts.market, parts.monotonicMs),
    orders: { given: 0, refused: 0, late: 0, worse: 0, invalid: 0, failed: 0, unchecked: 0 },
    trouble: "no levels yet",
  };
  parts.memory?.follow(nameOf(maker), seat.reputation.standing);
  return {
    maker,
    firm: (wanted, timeoutMs) => firm(seat, wanted, timeoutMs),
    tokens: seat.shelf.tokens,
    health: () => healthOf(seat),
    poll: () => poll(seat),
    expire() {
      if (isBlocked(seat) || seat.shelf.ageMs() >= STALE_MS) seat.shelf.clear();
    },
    close,
  };
}

const nameOf = ({ chainId, name }: MakerSettings): string => `${chainId} ${name}`;

const isBlocked = ({ reputation }: Open): boolean => reputation.blockedForMs() > 0;

async function firm(seat: Open, wanted: FirmAsk, timeoutMs: number): ReturnType<MakersPort["firm"]> {
  if (isBlocked(seat)) return undefined;
  const { maker, reputation, log } = seat;
  const { outcome, order } = await askFirm(maker, seat, wanted, timeoutMs);
  seat.orders[outcome]++;
  // A maker may screen takers, and the taker is the caller's choice: a refusal by name proves nothing to others.
  const isScreened = outcome === "refused" && wanted.taker !== undefined;
  const isNobodysFault = outcome === "unchecked";
  if (!isScreened && !isNobodysFault) reputation.note(outcome !== "given");
  if (outcome !== "given") log.info({ maker: maker.name, outcome }, "a maker gave no order");
  if (isBlocked(seat)) {
    log.warn({ maker: maker.name, ms: Math.round(reputation.blockedForMs()) }, "maker blocked");
    seat.shelf.clear();
    seat.memory?.save();
  }
  return order;
}

async function poll(seat: Open): Promise<void> {
  if (isBlocked(seat)) return;
  const { maker, ask, shelf } = seat;
  const askedAt = seat.monotonicMs();
  const path = `/levels?chain_id=${maker.chainId}`;
  const prices = await ask({ path, timeoutMs: LEVELS_TIMEOUT_MS }).then(
    ({ status, json }) => (status === 200 ? pricesOf(maker, json) : `levels: status ${status}`),
    (error: Error) => `levels: ${error.message}`,
  );
  if (isBlocked(seat)) return;
  seat.trouble = typeof prices === "string" ? prices : undefined;
  if (typeof prices !== "string") shelf.put(prices, askedAt);
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
