import type { Protocol } from "../../src/core/protocol.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Case, casesFor, type Sample } from "./cases.ts";
import { type Loop, multiple, nanoseconds } from "./clock.ts";
import { eventLoop } from "./events.ts";
import { exactLoop } from "./figures.ts";
import { plainLoops } from "./plain.ts";
import type { Figure, Row } from "./table.ts";

/** What the bars of single designs are about. */

const ONE_TICK_GAS = 90_000;
/** Of random pairs a thirtieth is of the usual size: 64 of them would be two, and their luck the figure. */
const FEW_ARE_USUAL = 32;

function protocol(name: string): Protocol {
  const found = protocols.get(name);
  if (found === undefined) throw new Error(`no design ${name}`);
  return found;
}

/** A pair of the size that most have: 10^15 to 10^29 units of either token. */
function isOfUsualSize({ subject }: Case): boolean {
  const { reserves } = subject.states.get(subject.pool.stateIds[0]) as { reserves: readonly bigint[] };
  return reserves.every((reserve) => reserve > 10n ** 15n && reserve < 10n ** 29n);
}

/** A plain pool of two coins. */
function isTwoCoins({ subject: { pool } }: Case): boolean {
  return pool.tokens.length === 2 && pool.stateIds.length === 1;
}

/** A figure of a kind of call whose bar is a multiple of the plain loop in integers. */
function figure(name: string, bar: number, loop: Loop): Figure {
  return { name, loop: "integer", bar, ns: nanoseconds(loop), times: multiple(loop, plainLoops.integer) };
}

/** @param design one of the registry: rows of other designs are left out, since each is measured alone */
export async function barFigures(design: string, sample: Sample): Promise<Figure[]> {
  const named = protocol(design);
  const cases = await casesFor(named, sample);
  switch (design) {
    case "uniswap-v2": {
      const many = await casesFor(named, { ...sample, states: sample.states * FEW_ARE_USUAL });
      return [
        figure("v2 exact", 250, exactLoop(named, many.filter(isOfUsualSize))),
        figure("v2 Sync decoded and applied", 2000, eventLoop("Sync", cases)),
      ];
    }
    case "uniswap-v3": {
      const short = cases.filter(({ gas }) => gas <= ONE_TICK_GAS);
      return [
        figure("v3 exact, up to one tick crossed", 1600, exactLoop(named, short)),
        figure("v3 Swap decoded and applied", 2000, eventLoop("Swap", cases)),
        figure("v3 Mint, Burn decoded and applied", 2000, eventLoop("Mint, Burn", cases)),
      ];
    }
    case "curve-stable":
      return [figure("stable exact, two coins", 4500, exactLoop(named, cases.filter(isTwoCoins)))];
    default:
      return [];
  }
}

/** The bar of every design's quote in doubles. */
export function doubleBar({ name, double, doubleTimes }: Row): Figure {
  const bar = name === "uniswap-v2" || name === "uniswap-v3" ? 60 : 1000;
  return { name: `${name}: quote in doubles`, loop: "double", bar, ns: double, times: doubleTimes };
}

/** The bar of every design's compiled curve. */
export function curveBar({ name, curve, curveTimes }: Row): Figure {
  return { name: `${name}: compiled curve`, loop: "double", bar: 50, ns: curve, times: curveTimes };
}
