import { parseArgs } from "node:util";
import { BadInput } from "./fields.ts";
import type { RunOptions } from "./run.ts";

export const USAGE = `bench:routing -- --market FILE... --orders FILE
  --market FILE     market/1, pools-univ2/1 or pools-weighted/1; several are read as one market
  --orders FILE     [{"tokenIn", "tokenOut", "amountIn"}]
  --gas-gwei G      price of gas; 0 (default) = free
  --max-legs N      pool crossings of a route; 0 = no cap; default 16
  --budget MS       time an order may take; default 1000
  --warmup FILE     orders asked before the first is measured; default: 50 others over the same tokens
  --json OUT        write all results`;

export type Options = RunOptions & {
  readonly market: readonly string[];
  readonly orders: string;
  readonly warmUp: string | undefined;
  readonly json: string | undefined;
};

/** @throws BadInput naming the flag */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const market = [...(values.market ?? []), ...positionals];
  if (market.length === 0) throw new BadInput("--market FILE is missing");
  if (values.orders === undefined) throw new BadInput("--orders FILE is missing");
  return {
    market,
    orders: values.orders,
    warmUp: values.warmup,
    json: values.json,
    gasGwei: atLeastZero("gas-gwei", values["gas-gwei"]),
    maxLegs: whole("max-legs", values["max-legs"]),
    budgetMs: atLeastZero("budget", values.budget),
  };
}

/** Files after `--market` without a flag of their own are markets too. */
function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
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
      },
    });
  } catch (error) {
    throw new BadInput((error as Error).message);
  }
}

function atLeastZero(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value < Infinity))
    throw new BadInput(`--${flag}: a number of at least 0 is wanted, not "${text}"`);
  return value;
}

function whole(flag: string, text: string): number {
  const value = atLeastZero(flag, text);
  if (!Number.isInteger(value)) throw new BadInput(`--${flag}: a whole number is wanted, not "${text}"`);
  return value;
}
