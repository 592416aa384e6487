import {
  type Braid,
  BraidError,
  createBraid,
  type PriceParameters,
  parseAmount,
  type Token,
} from "../../packages/sdk/src/index.ts";
import { decimalText, type Options, permille, UsageError } from "./braid-options.ts";

/** What a command asks of the service, out of what was typed. */

export type Market = {
  readonly braid: Braid;
  readonly url: string;
  readonly chainID: number;
  readonly tokens: readonly Token[];
  /** The node of a devnet that the service brings with it. */
  readonly devnetRpcUrl: string | undefined;
};
export type Order = {
  readonly market: Market;
  readonly sell: Token;
  readonly buy: Token;
  /** Smallest units: of `sell`, or of `buy` where an exact amount is bought. */
  readonly amount: bigint;
  readonly isBuy: boolean;
  readonly parameters: PriceParameters & { readonly slippage: number };
};

const DEVNET_CHAIN = 31_337;

/** The most that slippage and fees may be: 50 %. */
const MOST_PERMILLE = 500;

export function serviceOf(options: Options): { braid: Braid; url: string } {
  const url = options.url ?? process.env.BRAID_URL ?? "http://127.0.0.1:8080";
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(`--url is an address such as http://127.0.0.1:8080, not "${url}"`);
  return { url, braid: createBraid({ url }) };
}

export async function marketOf(options: Options): Promise<Market> {
  const { braid, url } = serviceOf(options);
  const served = await braid.platforms();
  const chainID = chainOf(served, options.chain);
  const devnetRpcUrl = served.find(({ chainId }) => chainId === chainID)?.devnet_rpc_url;
  return { braid, url, chainID, devnetRpcUrl, tokens: await braid.tokens({ chainID }) };
}

type Platforms = Awaited<ReturnType<Braid["platforms"]>>;

function chainOf(served: Platforms, text: string | undefined): number {
  if (text !== undefined) {
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--chain is a chain id such as 1, not "${text}"`);
    return Number(text);
  }
  const ids = served.map(({ chainId }) => chainId);
  if (ids.length === 1) return ids[0]!;
  if (ids.includes(DEVNET_CHAIN)) return DEVNET_CHAIN;
  const names = served.map(({ chainId, name }) => `${chainId} (${name})`).join(", ");
  throw new UsageError(`--chain is needed; served are ${names || "no chains"}`);
}

/** @throws UsageError where no token, or more than one, is meant */
export function findToken({ tokens, chainID }: Market, text: string): Token {
  const wanted = text.toLowerCase();
  const byAddress = tokens.find(({ address }) => address === wanted);
  if (byAddress !== undefined) return byAddress;
  const named = tokens.filter(({ symbol }) => symbol.toLowerCase() === wanted);
  if (named.length === 1) return named[0]!;
  if (named.length > 1) {
    const all = named.map(({ address, name }) => `${address} (${name})`).join(", ");
    throw new UsageError(`${text} may be each of ${all}: give the address`);
  }
  const kind = wanted.startsWith("0x") ? "address" : "symbol";
  throw new UsageError(
    `Chain ${chainID} lists no token with the ${kind} ${text}; npm run braid -- tokens shows its list`,
  );
}

export async function orderOf(positionals: readonly string[], options: Options): Promise<Order> {
  const [amountText, sellText, buyText, ...more] = positionals;
  if (amountText === undefined || sellText === undefined || buyText === undefined || more.length > 0)
    throw new UsageError("AMOUNT SELL BUY are needed, such as 1.5 WETH USDC");
  const market = await marketOf(options);
  const [sell, buy] = [findToken(market, sellText), findToken(market, buyText)];
  const isBuy = options.buy === "true";
  const amount = amountOf(amountText, isBuy ? buy : sell);
  return {
    market,
    sell,
    buy,
    amount,
    isBuy,
    parameters: parametersOf(market, options, { sell, buy, amount }),
  };
}

/** @throws UsageError where the text is no amount of the token */
export function amountOf(text: string, token: Token): bigint {
  const digits = decimalText("an amount", text.trim().replaceAll("_", ""));
  try {
    const amount = parseAmount(digits, token.decimals);
    if (amount > 0n) return amount;
  } catch (error) {
    if (!(error instanceof BraidError)) throw error;
    throw new UsageError(`${error.message.replace(/\.$/, "")} (${token.symbol})`);
  }
  throw new UsageError(`an amount is above 0, not "${text}" (${token.symbol})`);
}

function parametersOf(
  { chainID }: Market,
  options: Options,
  { sell, buy, amount }: { sell: Token; buy: Token; amount: bigint },
): Order["parameters"] {
  const fee = (name: string) => {
    const text = options[name];
    if (text === undefined) return undefined;
    const value = permille(name, text);
    if (!Number.isInteger(value)) throw new UsageError(`--${name} has steps of 0.1 percent, not "${text}"`);
    if (value > MOST_PERMILLE) throw new UsageError(`--${name} is at most 50 percent, not "${text}"`);
    // The SDK charges no fee where nobody gets it, and nobody would notice.
    if (value > 0 && options["fee-recipient"] === undefined)
      throw new UsageError(`--${name} needs --fee-recipient: a fee goes to somebody`);
    return value;
  };
  const slippageText = options.slippage ?? "0.5";
  const slippage = permille("slippage", slippageText);
  if (slippage < 1 || slippage > MOST_PERMILLE)
    throw new UsageError(`--slippage is 0.1 to 50 percent, not "${slippageText}"`);
  return {
    chainID,
    fromTokenAddress: sell.address,
    toTokenAddress: buy.address,
    amount,
    side: options.buy === "true" ? "BUY" : "SELL",
    slippage,
    buyTokenPercentageFee: fee("fee"),
    sellTokenPercentageFee: fee("sell-fee"),
    feeRecipient: options["fee-recipient"],
    withGas: withGasOf(options),
    includeAggregator: options.include?.split(","),
    excludeAggregator: options.exclude?.split(","),
  };
}

/** The wallet pays the gas, so routes are compared net of it unless said otherwise. */
function withGasOf({ gas, "no-gas": noGas }: Options): boolean {
  if (gas === "true" && noGas === "true") throw new UsageError("--gas and --no-gas exclude each other");
  return noGas !== "true";
}
