/** Braid in the terminal: `npm run braid -- quote 1.5 WETH USDC`; `npm run braid -- --help` lists the commands. */
import { BraidError, formatAmount, type PriceAnswer } from "../../packages/sdk/src/index.ts";
import { describeOffer, drawRoute, jsonText, significant } from "../draw-route.ts";
import { marketOf, type Order, orderOf, serviceOf } from "./braid-market.ts";
import {
  type CommandName,
  commands,
  generalHelp,
  helpOf,
  type Options,
  readArguments,
  UsageError,
} from "./braid-options.ts";

type Command = (positionals: readonly string[], options: Options) => Promise<string>;

function shown(order: Order, offer: PriceAnswer, options: Options): string[] {
  if (options.json === "true") return [jsonText(offer)];
  const { slippage } = order.parameters;
  return [...describeOffer(offer, { ...order, slippage }), "", ...drawRoute(offer, order.market.tokens)];
}

const run: Readonly<Record<CommandName, Command>> = {
  price: async (positionals, options) => {
    const order = await orderOf(positionals, options);
    return shown(order, await order.market.braid.price(order.parameters), options).join("\n");
  },
  quote: async (positionals, options) => {
    const order = await orderOf(positionals, options);
    const { taker: takerAddress, recipient: recipientAddress } = options;
    const quote = await order.market.braid.quote({ ...order.parameters, takerAddress, recipientAddress });
    const until = new Date(quote.valid_until * 1000).toISOString();
    const call = [
      `to        ${quote.to}`,
      `value     ${quote.value}`,
      `valid to  ${until}`,
      `calldata  ${quote.calldata}`,
    ];
    return [...shown(order, quote, options), ...(options.json === "true" ? [] : ["", ...call])].join("\n");
  },
  swap: async (positionals, options) => {
    // Keys and signing take a second to load, which nobody else needs to wait for.
    const { swapCommand } = await import("./braid-swap.ts");
    return swapCommand(await orderOf(positionals, options), options);
  },
  watch,
  tokens: async ([text = "", ...more], options) => {
    if (more.length > 0) throw new UsageError("one TEXT at most is needed");
    const { tokens, chainID } = await marketOf(options);
    const wanted = text.toLowerCase();
    const found = tokens.filter(({ symbol, name, address }) =>
      [symbol, name, address].some((each) => each.toLowerCase().includes(wanted)),
    );
    if (options.json === "true") return jsonText(found);
    if (found.length === 0) process.stderr.write(`No token of chain ${chainID} has "${text}" in it.\n`);
    return found.map(({ symbol, address, name }) => `${symbol.padEnd(10)} ${address}  ${name}`).join("\n");
  },
  status: async (_positionals, options) => {
    const health = await serviceOf(options).braid.health();
    if (options.json === "true") return jsonText(health);
    const chains = health.chains.map((chain) => {
      const age = chain.age_ms === null ? "" : `, ${(chain.age_ms / 1000).toFixed(1)} s old`;
      const head = chain.block_number === null ? "no block" : `block ${chain.block_number}${age}`;
      const counts = `${chain.pools} pools, ${chain.tokens} tokens, ${chain.quarantined} quarantined`;
      const trouble = chain.trouble === null ? "" : `\n         ! ${chain.trouble}`;
      return `${String(chain.chainId).padEnd(8)} ${chain.name}: ${chain.phase}, ${head}, ${counts}${trouble}`;
    });
    return [`Braid ${health.version}: ${health.status}`, ...chains].join("\n");
  },
};

/** Prints as it goes; ends after `--count` prices, or when the terminal does. */
async function watch(positionals: readonly string[], options: Options): Promise<string> {
  const { count } = options;
  if (count !== undefined && !/^[1-9]\d{0,8}$/.test(count))
    throw new UsageError(`--count is a positive whole number, not "${count}"`);
  const order = await orderOf(positionals, options);
  const { market, sell, buy, parameters, isBuy } = order;
  const onTrouble = (error: BraidError) => process.stderr.write(`${explained(error)}\n`);
  let [left, first] = [count === undefined ? Number.POSITIVE_INFINITY : Number(count), 0];
  for await (const offer of market.braid.watch(parameters, { onTrouble })) {
    const price = Number(isBuy ? offer.amount_in : offer.amount_out_total);
    first ||= price;
    const change = `${price >= first ? "+" : ""}${((price / first - 1) * 100).toFixed(3)} %`;
    const give = `${significant(formatAmount(offer.amount_in, sell.decimals))} ${sell.symbol}`;
    const take = `${significant(formatAmount(offer.amount_out_total, buy.decimals))} ${buy.symbol}`;
    const line =
      options.json === "true"
        ? JSON.stringify(JSON.parse(jsonText(offer)))
        : `block ${offer.block_number}  ${give} → ${take}  ${change}`;
    process.stdout.write(`${line}\n`);
    if (--left <= 0) break;
  }
  return "";
}

function explained(error: BraidError): string {
  const hint = error.reason === "UNREACHABLE" ? " Is the service started (npm start)?" : "";
  return `${error.message}${hint}`;
}

/** @returns the exit code: 0 done, 1 refused or failed, 2 wrong arguments */
async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(generalHelp());
    return name === undefined ? 2 : 0;
  }
  if (!Object.hasOwn(commands, name)) throw new UsageError(`no command is called "${name}"`);
  const command = name as CommandName;
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  const { positionals, options } = readArguments(command, args);
  const text = await run[command](positionals, options);
  if (text !== "") process.stdout.write(`${text}\n`);
  return 0;
}

/** What went wrong in a sentence; a stack is of use to whoever asks for it by BRAID_DEBUG=1 only. */
function told(error: Error, name: string | undefined): number {
  if (process.env.BRAID_DEBUG === "1") process.stderr.write(`${error.stack}\n`);
  if (error instanceof UsageError) {
    const help = name !== undefined && Object.hasOwn(commands, name) ? `${name} --help` : "--help";
    process.stderr.write(`${error.message}.\nnpm run braid -- ${help} says what there is.\n`);
    return 2;
  }
  process.stderr.write(`${error instanceof BraidError ? explained(error) : error.message.split("\n")[0]}\n`);
  return 1;
}

// A reader that has seen enough, such as head, is no failure.
process.stdout.on("error", () => process.exit(0));
const args = process.argv.slice(2);
process.exitCode = await main(args).catch((error: Error) => told(error, args[0]));
