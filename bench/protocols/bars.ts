import type { Protocol } from "../../src/core/protocol.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Case, casesFor, type Sample } from "./cases.ts";
import { eventNs } from "./events.ts";
import { exactNs } from "./figures.ts";
import type { Figure, Row } from "./table.ts";

/** What the bars of single designs are about. */

const ONE_TICK_GAS = 90_000;

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

/** @param design one of the registry: rows of other designs are left out, since each is measured alone */
export async function barFigures(design: string, sample: Sample): Promise<Figure[]> {
  const named = protocol(design);
  const cases = await casesFor(named, sample);
  switch (design) {
    case "uniswap-v2":
      return [
        { name: "v2 exact", loop: "integer", bar: 250, ns: exactNs(named, cases.filter(isOfUsualSize)) },
        { name: "v2 Sync decoded and applied", loop: "integer", bar: 2000, ns: eventNs("Sync", cases) },
      ];
    case "uniswap-v3": {
      const short = cases.filter(({ gas }) => gas <= ONE_TICK_GAS);
      return [
        { name: "v3 exact, up to one tick crossed", loop: "integer", bar: 1600, ns: exactNs(named, short) },
        { name: "v3 Swap decoded and applied", loop: "integer", bar: 2000, ns: eventNs("Swap", cases) },
        {
          name: "v3 Mint, Burn decoded and applied",
          loop: "integer",
          bar: 2000,
          ns: eventNs("Mint, Burn", cases),
        },
      ];
    }
    case "curve-stable":
      return [
        {
          name: "stable exact, two coins",
          loop: "integer",
          bar: 4500,
          ns: exactNs(named, cases.filter(isTwoCoins)),
        },
      ];
    default:
      return [];
  }
}

/** The bar of every design's quote in doubles. */
export function doubleBar({ name, double }: Row): Figure {
  const bar = name === "uniswap-v2" || name === "uniswap-v3" ? 60 : 1000;
  return { name: `${name}: quote in doubles`, loop: "double", bar, ns: double };
}

/** The bar of every design's compiled curve. */
export function curveBar({ name, curve }: Row): Figure {
  return { name: `${name}: compiled curve`, loop: "double", bar: 50, ns: curve };
}
