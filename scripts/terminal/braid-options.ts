import { parseArgs } from "node:util";

/** What the terminal command takes, and what it says of itself. */

/** Wrong arguments: told in one line, with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Option = { readonly takes: string | undefined; readonly says: string; readonly initial?: string };

const shared = {
  url: { takes: "URL", says: "the service; default BRAID_URL or http://127.0.0.1:8080" },
  chain: { takes: "ID", says: "chain id; default: the one that is served" },
  json: { takes: undefined, says: "the whole answer as JSON, amounts as decimal texts" },
  help: { takes: undefined, says: "this text" },
} satisfies Record<string, Option>;

const offer = {
  buy: { takes: undefined, says: "AMOUNT is of the token bought" },
  slippage: { takes: "PERCENT", says: "allowed slippage; default 0.5", initial: "0.5" },
  fee: { takes: "PERCENT", says: "fee on the token bought, for --fee-recipient" },
  "sell-fee": { takes: "PERCENT", says: "fee on the token sold, for --fee-recipient" },
  "fee-recipient": { takes: "ADDRESS", says: "who gets the fees" },
  gas: { takes: undefined, says: "choose the route net of gas; the default" },
  "no-gas": { takes: undefined, says: "choose the route without regard to gas" },
  include: { takes: "NAMES", says: "only these sources, joined by commas" },
  exclude: { takes: "NAMES", says: "all but these sources, joined by commas" },
} satisfies Record<string, Option>;

const sender = { recipient: { takes: "ADDRESS", says: "who gets the tokens bought; default: the wallet" } };

const TERMS = "AMOUNT SELL BUY";
const TERMS_SAY =
  "AMOUNT is as people write it (1.5). SELL and BUY are symbols or addresses of the chain's token list.";

export const commands = {
  price: {
    takes: TERMS,
    says: `The best offer for a pair. ${TERMS_SAY}`,
    options: { ...offer, ...shared },
  },
  quote: {
    takes: TERMS,
    says: `The best offer with its transaction, checked against what was asked. ${TERMS_SAY}`,
    options: {
      ...offer,
      taker: { takes: "ADDRESS", says: "the wallet that will send it; the transaction is run for it" },
      ...sender,
      ...shared,
    },
  },
  swap: {
    takes: TERMS,
    says: `Swaps: quotes, approves or signs where needed, sends, waits. ${TERMS_SAY} The key is BRAID_PRIVATE_KEY; without it a devnet's test account is used.`,
    options: {
      ...offer,
      ...sender,
      "min-out": { takes: "AMOUNT", says: "refuse a quote whose minimum is below this" },
      "max-in": { takes: "AMOUNT", says: "with --buy: refuse a quote that sells more than this" },
      approval: { takes: "KIND", says: "auto, approve or signature; default auto", initial: "auto" },
      rpc: { takes: "URL", says: "the chain's node; default RPC_URL_<chain>, or the devnet's" },
      account: { takes: "N", says: "which of the devnet's ten test accounts; default 0", initial: "0" },
      yes: { takes: undefined, says: "do not ask before anything is signed or sent" },
      ...shared,
    },
  },
  watch: {
    takes: TERMS,
    says: `The price after each block, until Ctrl-C. ${TERMS_SAY}`,
    options: { ...offer, count: { takes: "N", says: "end after N prices" }, ...shared },
  },
  tokens: {
    takes: "[TEXT]",
    says: "The chain's tokens whose symbol, name or address has TEXT in it.",
    options: shared,
  },
  status: { takes: "", says: "The state of every chain that is served.", options: shared },
} as const satisfies Record<
  string,
  { takes: string; says: string; options: Readonly<Record<string, Option>> }
>;

export type CommandName = keyof typeof commands;

/** Values by name; a flag is "true". */
export type Options = Readonly<Record<string, string | undefined>>;

export function helpOf(name: CommandName): string {
  const { takes, says, options } = commands[name];
  const rows = Object.entries(options).map(([option, { takes: value, says: text }]) => {
    return `  ${`--${option}${value === undefined ? "" : ` ${value}`}`.padEnd(26)}${text}`;
  });
  return `npm run braid -- ${name}${takes === "" ? "" : ` ${takes}`}\n\n${says}\n\n${rows.join("\n")}\n`;
}

export function generalHelp(): string {
  const rows = Object.entries(commands).map(([name, { takes, says }]) => {
    return `  ${`${name} ${takes}`.padEnd(26)}${says.split(".")[0]}`;
  });
  return `npm run braid -- COMMAND …\n\n${rows.join("\n")}\n\nnpm run braid -- COMMAND --help says more.\n`;
}

/** @throws UsageError for an option that the command does not have, or a value where none belongs */
export function readArguments(
  name: CommandName,
  args: readonly string[],
): { positionals: string[]; options: Options } {
  const known: Readonly<Record<string, Option>> = commands[name].options;
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(known).map(([option, { takes }]) => [
          option,
          { type: takes === undefined ? ("boolean" as const) : ("string" as const) },
        ]),
      ),
    });
    const initial = Object.entries(known).flatMap(([option, { initial: value }]) =>
      value === undefined ? [] : [[option, value]],
    );
    const given = Object.entries(values).map(([option, value]) => [option, String(value)]);
    return { positionals, options: Object.fromEntries([...initial, ...given]) };
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
}

/**
 * A number as it is typed, with a digit before its dot: ".5" is "0.5".
 *
 * @param what the number is, for the message
 * @throws UsageError for a number with a comma, which may separate decimals or thousands
 */
export function decimalText(what: string, text: string): string {
  if (/^[\d.]*,[\d.,]*$/.test(text.replace(/ ?%$/, "")))
    throw new UsageError(`${what} has a dot before its decimals, such as 1.5, and no comma: not "${text}"`);
  return /^\.\d/.test(text) ? `0${text}` : text;
}

/**
 * A percentage, such as "0.5" or "0.5%", in thousandths.
 *
 * @throws UsageError naming the option
 */
export function permille(option: string, text: string): number {
  const match = /^(\d{1,3}(?:\.\d{1,6})?) ?%?$/.exec(decimalText(`--${option}`, text));
  if (match === null) throw new UsageError(`--${option} is a percentage such as 0.5, not "${text}"`);
  return Number((Number(match[1]) * 10).toFixed(6));
}
