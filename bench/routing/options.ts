import { atLeastZero, parseFlags, whole, writable } from "./flags.ts";
import { BadInput } from "./market/fields.ts";
import type { RunOptions } from "./orders/run.ts";
import { strategies } from "./strategies/index.ts";

export const USAGE = `bench:routing -- --market FILE... --orders FILE
  --market FILE     market/1, pools-univ2/1 or pools-weighted/1; several are read as one market
  --orders FILE     [{"tokenIn", "tokenOut", "amountIn"}]
  --gas-gwei G      price of gas; 0 (default) = free
  --max-legs N      pool crossings of a route; 0 = no cap; default 16
  --budget MS       time an order may take; default 1000
  --warmup FILE     orders asked before the first is measured; default: 50 others over the same tokens
  --json OUT        write all results
  --strategies LIST names, "all" (default) or "none": published ideas that answer the same orders
  --sample N        orders that they answer, evenly spread; 0 = all; default: all up to 2,500 pools, 30 up to 25,000,
                    else 8
  --verify          recompute amounts, balances, gas and bounds with the bench's own formulas
  --buy             buy what each order pays, once more, and compare the cost with the amount sold
  --referee N       instead of a market: N markets of at most 25 edges a seed, where a mixed-integer program brackets the best net
  --seeds LIST      of those markets; default: 1,2,3 and a random one, which is printed`;

export type Options = RunOptions & {
  readonly market: readonly string[];
  readonly orders: string;
  readonly warmUp: string | undefined;
  readonly json: string | undefined;
  /** Names of strategies, in the order of the table. */
  readonly strategies: readonly string[];
  readonly sample: number | undefined;
  readonly verify: boolean;
  readonly buy: boolean;
  /** Cases a seed; 0 = none. */
  readonly referee: number;
  readonly seeds: readonly number[];
};

/** @throws BadInput naming the flag */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const market = [...(values.market ?? []), ...positionals];
  const referee = whole("referee", values.referee);
  if (referee > 0 && (market.length > 0 || values.orders !== undefined))
    throw new BadInput("--referee makes markets of its own: --market and --orders cannot go with it");
  if (market.length === 0 && referee === 0) throw new BadInput("--market FILE is missing");
  if (values.orders === undefined && referee === 0) throw new BadInput("--orders FILE is missing");
  return {
    market,
    orders: values.orders ?? "",
    warmUp: values.warmup,
    json: values.json === undefined ? undefined : writable("json", values.json),
    strategies: namesIn(values.strategies),
    sample: values.sample === undefined ? undefined : whole("sample", values.sample),
    verify: values.verify,
    buy: values.buy,
    referee,
    seeds: seedsIn(values.seeds),
    gasGwei: atLeastZero("gas-gwei", values["gas-gwei"]),
    maxLegs: whole("max-legs", values["max-legs"]),
    budgetMs: atLeastZero("budget", values.budget),
  };
}

/** Files after `--market` without a flag of their own are markets too. */
function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  return parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      market: { type: "string", multiple: true },
      orders: text,
      "gas-gwei": { ...text, default: "0" },
      "max-legs": { ...text, default: "16" },
      budget: { ...text, default: "1000" },
      warmup: text,
      json: text,
      strategies: { ...text, default: "all" },
      sample: text,
      verify: { type: "boolean", default: false },
      buy: { type: "boolean", default: false },
      referee: { ...text, default: "0" },
      seeds: { ...text, default: "" },
    },
  });
}

const MOST_SEED = 2 ** 32 - 1;

function seedsIn(list: string): number[] {
  if (list === "") return [1, 2, 3, Math.floor(Math.random() * (MOST_SEED + 1))];
  return list.split(",").map((seed) => whole("seeds", seed, 0, MOST_SEED));
}

function namesIn(list: string): readonly string[] {
  if (list === "none") return [];
  if (list === "all") return [...strategies.keys()];
  const names = list.split(",");
  const unknown = names.find((name) => !strategies.has(name));
  if (unknown === undefined) return names;
  throw new BadInput(`--strategies: no "${unknown}" among ${[...strategies.keys()].join(", ")}`);
}

/** Which of `orders` the strategies answer. */
export function sampleOf(orders: number, pools: number, { sample }: Options): number[] {
  const wanted = sample ?? (pools <= 2_500 ? 0 : pools <= 25_000 ? 30 : 8);
  const count = wanted === 0 ? orders : Math.min(wanted, orders);
  return Array.from({ length: count }, (_, k) => Math.floor((k * orders) / count));
}
