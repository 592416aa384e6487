/**
 * One offer in the terminal, amounts in smallest units; `npm run braid -- price` takes them as people write them:
 * npm run quote -- --url http://127.0.0.1:8080 --chain 31337 --from WETH --to USDC --amount 1000000000000000000 [--json]
 */
import { BraidError, createBraid, type Token } from "../../packages/sdk/src/index.ts";
import { addressFlag, readFlags, refuse, wholeNumber } from "../command-line.ts";
import { describeOffer, drawRoute, jsonText } from "../draw-route.ts";
import { decimalText, permille } from "./braid-options.ts";

const options = {
  url: { type: "string", default: "http://127.0.0.1:8080" },
  chain: { type: "string", default: "31337" },
  from: { type: "string" },
  to: { type: "string" },
  amount: { type: "string" },
  slippage: { type: "string", default: "10" },
  gas: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

const USAGE = `npm run quote -- --from WETH --to USDC --amount 1000000000000000000 [--url URL] [--chain ID] [--slippage THOUSANDTHS] [--gas] [--json]

--slippage 5 is 0.5 %: a plain number counts in thousandths, as in the API; 0.5% is a percentage. The default is 10, which is 1 %.
--gas chooses the route net of gas.`;
const { values } = readFlags({ options }, USAGE);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Finds a token by address or by symbol; the list's order decides between tokens of one symbol. */
function find(tokens: readonly Token[], text: string): Token {
  const wanted = text.toLowerCase();
  const token =
    tokens.find((one) => one.address === wanted) ?? tokens.find((one) => one.symbol.toLowerCase() === wanted);
  return token ?? fail(`No token ${text} on chain ${values.chain}.`);
}

/** Thousandths, of a plain number as they are and of one with a percent sign as a percentage. */
function slippageOf(text: string): number {
  try {
    if (text.endsWith("%")) return permille("slippage", text);
    const number = decimalText("--slippage", text);
    if (/^\d+(\.\d+)?$/.test(number)) return Number(number);
  } catch (error) {
    return refuse(`${(error as Error).message}.`);
  }
  return refuse(`--slippage is in thousandths, such as 5, or a percentage, such as 0.5%, not "${text}".`);
}

function explain(error: Error): never {
  if (!(error instanceof BraidError)) return fail(error.message);
  const hint = error.reason === "UNREACHABLE" ? " Is the service started (npm start)?" : "";
  return fail(`${error.status === 0 ? "" : `${error.status}: `}${error.message}${hint}`);
}

const { from, to, amount } = values;
if (!from || !to || !amount)
  refuse("--from, --to and --amount are needed (symbols or addresses; smallest units).");
if (!/^\d+$/.test(amount)) refuse(`--amount: a whole number of smallest units is wanted, not "${amount}"`);
const slippage = slippageOf(values.slippage);
const braid = createBraid({ url: addressFlag("url", values.url) });
const chainID = wholeNumber("chain", values.chain, 1);
const tokens = await braid.tokens({ chainID }).catch(explain);
const [sell, buy] = [find(tokens, from), find(tokens, to)];
const offer = await braid
  .price({
    chainID,
    fromTokenAddress: sell.address,
    toTokenAddress: buy.address,
    amount: BigInt(amount),
    slippage,
    withGas: values.gas,
  })
  .catch(explain);
const lines = values.json
  ? [jsonText(offer)]
  : [...describeOffer(offer, { sell, buy, slippage }), "", ...drawRoute(offer, tokens)];
process.stdout.write(`${lines.join("\n")}\n`);
