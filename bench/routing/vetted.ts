/**
 * `npm run bench:vetted -- --market FILE --orders FILE [--vetted N] [--budget MS] [--gas-gwei G] [--max-legs N]`: what it costs that
 * routes cross tokens which are not vetted only where they gain more than the floor (src/service/pricing/intermediates.ts), for
 * requests that allow no slippage.
 *
 * Vetted are the tokens of chain 1 that ship with the program, or with `--vetted N` the N tokens of the most pools, for
 * markets whose tokens are made up. Each order is asked with and without the rule; times are compared, and amounts with what the
 * first search of the same run found.
 */

import { performance } from "node:perf_hooks";
import { readFlags, refuse, wholeNumber } from "../../scripts/command-line.ts";
import { ALLOW_ALL, allowedBy } from "../../src/core/allowance.ts";
import type { Engine, RouteRequest, RouteResult } from "../../src/core/routing/types.ts";
import type { Address } from "../../src/core/types.ts";
import { readTokenLists } from "../../src/edge/token-lists/lists.ts";
import { findVetted } from "../../src/service/pricing/intermediates.ts";
import { atLeastZero } from "./flags.ts";
import { type Market, readMarket, readOrders } from "./market/market.ts";
import type { Order } from "./market/schema.ts";
import { buildEngine, warmUpOrders } from "./orders/run.ts";

type Limits = Pick<RouteRequest, "gasPriceWei" | "maxLegs" | "timeoutMs">;
/** An answer, what the first search found, and how many there were. */
type Asked = {
  readonly result: RouteResult;
  readonly first: RouteResult | undefined;
  readonly ms: number;
  readonly searches: number;
};
type Find = Parameters<typeof findVetted>[0];

function queryOf({ tokenIn, tokenOut, amountIn }: Order, limits: Limits) {
  const rest = { side: "in" as const, allowed: ALLOW_ALL, maxHops: 4 };
  return { tokenIn, tokenOut, amount: BigInt(amountIn), ...rest, ...limits };
}

/** Asks an order with a rule of finding. */
async function ask(
  engine: Engine,
  market: Market,
  find: (search: Find) => Promise<RouteResult>,
  isVetted: (token: Address) => boolean = () => true,
): Promise<Asked> {
  const results: RouteResult[] = [];
  const search: Find = async ({ allowed, ...query }) => {
    const allows = allowedBy(allowed, query, isVetted);
    const found = engine.find({ ...query, allows, at: market.at, now: () => performance.now() });
    results.push(found);
    return found;
  };
  const start = performance.now();
  const result = await find(search);
  return { result, ms: performance.now() - start, first: results[0], searches: results.length };
}

/** Net of gas, in units of the token bought. */
function worthOf(result: RouteResult, { gasPriceWei }: Limits): number {
  if (result.kind === "missing") return 0;
  const { route, gas, nativePerOut } = result;
  return (
    Number(route.amountOut) -
    (nativePerOut === undefined ? 0 : (gas * Number(gasPriceWei ?? 0n)) / nativePerOut)
  );
}

function vettedOf(market: Market, most: number | undefined): ReadonlySet<Address> {
  if (most === undefined)
    return new Set([
      market.native,
      ...readTokenLists()
        .all(1)
        .map(({ address }) => address),
    ]);
  const pools = new Map<Address, number>();
  for (const { tokens } of market.pools)
    for (const token of tokens) pools.set(token, (pools.get(token) ?? 0) + 1);
  const ranked = [...pools].sort((a, b) => b[1] - a[1]).map(([token]) => token);
  return new Set([market.native, ...ranked.slice(0, most)]);
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
const spread = (numbers: readonly number[]): string => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return `p50 ${at(sorted, 0.5)}, p95 ${at(sorted, 0.95)}, max ${at(sorted, 1)}`;
};

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = readFlags({
    options: {
      market: { ...text, multiple: true, default: [] as string[] },
      orders: { ...text, default: "" },
      vetted: text,
      budget: { ...text, default: "100" },
      "gas-gwei": { ...text, default: "0" },
      "max-legs": { ...text, default: "16" },
    },
  });
  if (values.market.length === 0 || values.orders === "")
    refuse("--market FILE and --orders FILE are wanted");
  const gasGwei = atLeastZero("gas-gwei", values["gas-gwei"]);
  const market = readMarket(values.market);
  const orders = readOrders(values.orders);
  if (orders.length === 0) refuse(`${values.orders}: it holds no orders`);
  const { engine } = buildEngine(market);
  const vetted = vettedOf(
    market,
    values.vetted === undefined ? undefined : wholeNumber("vetted", values.vetted, 0),
  );
  const gasPriceWei = BigInt(Math.round(gasGwei * 1e9));
  const limits = {
    gasPriceWei,
    maxLegs: wholeNumber("max-legs", values["max-legs"], 0),
    timeoutMs: wholeNumber("budget", values.budget, 1),
  };
  const isVetted = (token: Address) => vetted.has(token);
  const rule = { isVetted, monotonicMs: () => performance.now(), slippagePpm: 0 };
  for (const order of warmUpOrders(orders)) await ask(engine, market, (find) => find(queryOf(order, limits)));
  const both: { free: Asked; ruled: Asked }[] = [];
  for (const [k, order] of orders.entries()) {
    const query = queryOf(order, limits);
    const free = () => ask(engine, market, (find) => find(query));
    const ruled = () => ask(engine, market, (find) => findVetted(find, query, rule), isVetted);
    // Whoever comes second finds warm caches: each is first as often as the other.
    if (k % 2 === 0) both.push({ free: await free(), ruled: await ruled() });
    else both.push({ ruled: await ruled(), free: await free() });
  }
  report(
    both.filter(({ free }) => free.result.kind === "found"),
    limits,
    { market, vetted },
  );
}

function report(
  both: readonly { free: Asked; ruled: Asked }[],
  limits: Limits,
  { market, vetted }: { market: Market; vetted: ReadonlySet<Address> },
): void {
  const tokens = new Set(market.pools.flatMap((pool) => pool.tokens));
  const known = [...tokens].filter((token) => vetted.has(token)).length;
  const again = both.filter(({ ruled }) => ruled.searches > 1);
  // Of one run: what a second run finds depends on how busy the machine is.
  const lossBp = ({ ruled: { result, first } }: { ruled: Asked }) =>
    result === first ? 0 : (1 - worthOf(result, limits) / worthOf(first as RouteResult, limits)) * 1e4;
  const losses = both.map(lossBp);
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  const kept = again.filter(({ ruled }) => ruled.result === ruled.first).length;
  process.stdout.write(`${both.length} orders; ${known} of ${tokens.size} tokens vetted, ${market.pools.length} pools
searched twice: ${again.length}, of which ${kept} kept the token that is not vetted
paid less, bp of all orders: mean ${mean.toFixed(3)}, ${spread(losses)}
ms without the rule: ${spread(both.map(({ free }) => free.ms))}
ms with it:          ${spread(both.map(({ ruled }) => ruled.ms))}
ratio of times, order by order: ${spread(both.map(({ free, ruled }) => ruled.ms / free.ms))}
`);
}

await main();
