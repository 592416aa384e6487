/** A token of a user's list. The facts of its contract take precedence. */
export type OwnToken = {
  readonly chainId: number;
  /** Lower case. */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

/** A token list that the user added. It makes tokens easier to find, and does not make them trusted. */
export type OwnList = { readonly name: string; readonly tokens: readonly OwnToken[] };

/** A token list is invalid or cannot be stored. The message is for the user. */
export class ListFault extends Error {
  override readonly name = "ListFault";
}

const MOST_CHARACTERS = 4_000_000;
const MOST_TOKENS = 10_000;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Parses a token list.
 *
 * @param text JSON
 * @throws ListFault that names the first field that violates the schema
 * @source https://uniswap.org/tokenlist.schema.json: the fields that it requires, and their limits
 */
export function readTokenList(text: string): OwnList {
  if (text.length > MOST_CHARACTERS) throw new ListFault("The list is larger than 4 MB.");
  const list = record(parse(text), "the list");
  const name = words(list.name, "name", [1, 30]);
  if (Number.isNaN(Date.parse(String(list.timestamp)))) throw fault("timestamp", "a date and time");
  const version = record(list.version, "version");
  for (const part of ["major", "minor", "patch"])
    if (!isWhole(version[part], 0)) throw fault(`version.${part}`, "a whole number");
  const { tokens } = list;
  if (!Array.isArray(tokens) || tokens.length === 0) throw fault("tokens", "a list of at least one token");
  if (tokens.length > MOST_TOKENS) throw fault("tokens", `at most ${MOST_TOKENS} tokens`);
  return { name, tokens: tokens.map(readToken) };
}

function readToken(given: unknown, index: number): OwnToken {
  const place = `tokens[${index}]`;
  const { chainId, address, symbol, name, decimals } = record(given, place);
  if (!isWhole(chainId, 1)) throw fault(`${place}.chainId`, "a whole number above zero");
  if (typeof address !== "string" || !ADDRESS.test(address))
    throw fault(`${place}.address`, "an address: 0x and 40 hexadecimal digits");
  if (!isWhole(decimals, 0) || decimals > 255) throw fault(`${place}.decimals`, "a whole number up to 255");
  return {
    chainId,
    address: address.toLowerCase(),
    symbol: words(symbol, `${place}.symbol`, [0, 20]),
    name: words(name, `${place}.name`, [0, 60]),
    decimals,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ListFault("This is no JSON. A token list is a JSON file as tokenlists.org describes it.");
  }
}

const fault = (field: string, wanted: string) =>
  new ListFault(`This is no token list: ${field} must be ${wanted}.`);

function record(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fault(place, "an object");
  return value as Record<string, unknown>;
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Control, format, private and unassigned characters, among them those that change the writing direction. */
const UNSAFE = /[\p{C}\uFFFD\u2028\u2029]/gu;

function words(value: unknown, field: string, [least, most]: readonly [number, number]): string {
  const text = typeof value === "string" ? value.replace(UNSAFE, "").trim() : undefined;
  if (text === undefined || text.length < least || text.length > most)
    throw fault(field, `text of ${least} to ${most} characters`);
  return text;
}
