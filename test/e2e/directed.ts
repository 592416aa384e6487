import type { Offer } from "./api.ts";
import { type Case, type ListedToken, makeCase } from "./cases.ts";
import { type Outcome, priceOf, runCase, type World } from "./swap.ts";
import { isAlone, type Tally } from "./tally.ts";

export type Market = {
  readonly world: World;
  readonly tokens: readonly ListedToken[];
  readonly wrapped: ListedToken;
  readonly random: () => number;
};

/** The list has the tokens of the most pools first: every source trades some of these. */
const HUBS = 12;
/** Swaps of each source alone, and beside others. */
const EACH = 3;
/** Pairs to try for one swap. */
const TRIES = 8;
/** Of the depth of the first pools, where the size that was drawn is not routed as wanted. */
const ALONE_SHARES = [0.02, 1e-3, 1e-5];
const MIXED_SHARES = [3e-3, 0.03, 0.1, 0.3];

type Pair = readonly [ListedToken, ListedToken];
type PairsOf = ReadonlyMap<string, readonly Pair[]>;
type Wanted = (deployments: readonly string[]) => boolean;

/** For every source swaps that cross nothing else; then for every source swaps that cross it beside others. */
export async function* directedOutcomes(market: Market, tally: Tally): AsyncGenerator<Outcome> {
  const ids = [...tally.crossings.keys()];
  const pairs = new Map<string, readonly Pair[]>();
  // One source at a time: all at once are more connections than a server lets wait.
  for (const id of ids) pairs.set(id, await pairsOf(market, id));
  for (const id of ids)
    for (let n = 0; n < EACH; n++) yield await safely(`${id} alone`, () => alone(market, pairs, id));
  for (const id of ids)
    for (let n = 0; n < EACH; n++) yield await safely(`${id} mixed`, () => mixed(market, pairs, id));
}

async function safely(text: string, attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  try {
    return (
      (await attempt()) ?? { text, faults: ["no amount of any pair routes"], sources: [], isSplit: false }
    );
  } catch (error) {
    return { text, faults: [(error as Error).stack ?? String(error)], sources: [], isSplit: false };
  }
}

/** Pairs that the source alone routes. */
async function pairsOf(market: Market, id: string): Promise<Pair[]> {
  const hubs = market.tokens.slice(0, HUBS);
  const pairs = hubs.flatMap((from) => hubs.filter((to) => to !== from).map((to): Pair => [from, to]));
  const routed = await Promise.all(
    pairs.map(async (pair) => {
      const one = caseOf(market, pair, [id]);
      const offer = await priceOf(market.world, one, 10n ** BigInt(pair[0].decimals));
      return offer !== undefined && isAlone(deploymentsOf(offer), id);
    }),
  );
  return pairs.filter((_, k) => routed[k]);
}

function caseOf({ tokens, wrapped, random }: Market, pair: Pair, include: readonly string[]): Case {
  const [tokenIn, tokenOut] = pair;
  return { ...makeCase(tokens, wrapped, random), tokenIn, tokenOut, include };
}

async function alone(market: Market, pairs: PairsOf, id: string): Promise<Outcome | undefined> {
  for (const pair of shuffled(market, pairs.get(id)!).slice(0, TRIES)) {
    const drawn = caseOf(market, pair, [id]);
    const shares = [drawn.depthShare, ...ALONE_SHARES];
    const outcome = await firstWanted(market, drawn, shares, (crossed) => isAlone(crossed, id));
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** With another source of the same pair, where there is one; else with all sources on the way from or to its tokens. */
async function mixed(market: Market, pairs: PairsOf, id: string): Promise<Outcome | undefined> {
  const own = shuffled(market, pairs.get(id)!);
  const isWanted: Wanted = (crossed) => crossed.includes(id) && !isAlone(crossed, id);
  const rivals = (pair: Pair) => [...pairs].flatMap(([other, theirs]) => (has(theirs, pair) ? [other] : []));
  const beside = own.flatMap((pair) =>
    shuffled(
      market,
      rivals(pair).filter((other) => other !== id),
    )
      .slice(0, 2)
      .map((other) => ({ pair, include: [id, other] })),
  );
  const through = own.flatMap(([from, to]) => {
    // Without those that sell `to` too, the way leads across this source wherever there is one.
    const others = [...pairs].flatMap(([other, theirs]) =>
      other === id || !sells(theirs, to) ? [other] : [],
    );
    return market.tokens
      .slice(0, HUBS)
      .filter((hub) => hub !== from && hub !== to)
      .flatMap((hub) =>
        [[...pairs.keys()], others].map((include) => ({ pair: [hub, to] as const, include })),
      );
  });
  const tried = [...beside.slice(0, TRIES), ...shuffled(market, through).slice(0, 2 * TRIES)];
  for (const { pair, include } of tried) {
    const outcome = await firstWanted(market, caseOf(market, pair, include), MIXED_SHARES, isWanted);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function sells(pairs: readonly Pair[], token: ListedToken): boolean {
  return pairs.some(([, to]) => to === token);
}

function has(pairs: readonly Pair[], [from, to]: Pair): boolean {
  return pairs.some((pair) => pair[0] === from && pair[1] === to);
}

/** Sends the first of the sizes that is routed as wanted. */
async function firstWanted(
  { world }: Market,
  drawn: Case,
  shares: readonly number[],
  isWanted: Wanted,
): Promise<Outcome | undefined> {
  for (const depthShare of shares) {
    const one: Case = { ...drawn, depthShare };
    const outcome = await runCase(world, one, async (amount) => {
      const offer = await priceOf(world, one, amount);
      return offer !== undefined && isWanted(deploymentsOf(offer));
    });
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function shuffled<T>({ random }: Market, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

function deploymentsOf(offer: Offer): string[] {
  return offer.route_graph.steps.map(({ deployment }) => deployment);
}
