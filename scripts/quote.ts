/**
 * One offer in the terminal:
 * npm run quote -- --url http://127.0.0.1:8080 --chain 31337 --from WETH --to USDC --amount 1000000000000000000 [--json]
 */
import { parseArgs } from "node:util";
import { formatUnits } from "viem";
import { drawRoute, type OfferView } from "./draw-route.ts";

type TokenView = { address: string; symbol: string; decimals: number };

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    chain: { type: "string", default: "31337" },
    from: { type: "string" },
    to: { type: "string" },
    amount: { type: "string" },
    slippage: { type: "string", default: "10" },
    gas: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(new URL(path, values.url)).catch((cause: Error) =>
    fail(`Nothing answers at ${values.url}: ${cause.message}. Is the service started (npm start)?`),
  );
  const body = (await response.json()) as T & { message?: string };
  if (!response.ok) fail(`${response.status}: ${body.message ?? "no message"}`);
  return body;
}

/** Finds a token by address or by symbol; the list's order decides between tokens of one symbol. */
function find(tokens: readonly TokenView[], text: string): TokenView {
  const wanted = text.toLowerCase();
  const token =
    tokens.find((one) => one.address === wanted) ?? tokens.find((one) => one.symbol.toLowerCase() === wanted);
  return token ?? fail(`No token ${text} on chain ${values.chain}.`);
}

if (!values.from || !values.to || !values.amount)
  fail("--from, --to and --amount are needed (symbols or addresses; smallest units).");
const { tokens } = await get<{ tokens: TokenView[] }>(`/v1/${values.chain}/tokens`);
const [sold, bought] = [find(tokens, values.from), find(tokens, values.to)];
const query = new URLSearchParams({
  fromTokenAddress: sold.address,
  toTokenAddress: bought.address,
  amount: values.amount,
  slippage: values.slippage,
  withGas: String(values.gas),
});
const offer = await get<OfferView>(`/v1/${values.chain}/price?${query}`);
if (values.json) {
  process.stdout.write(`${JSON.stringify(offer, null, 2)}\n`);
} else {
  const give = formatUnits(BigInt(values.amount), sold.decimals);
  const take = formatUnits(BigInt(offer.amount_out_total), bought.decimals);
  process.stdout.write(`${give} ${sold.symbol} → ${take} ${bought.symbol}\n`);
  process.stdout.write(
    `at least ${formatUnits(BigInt(offer.min_amount_out), bought.decimals)} ${bought.symbol}`,
  );
  process.stdout.write(
    `, gas ${offer.estimate_gas_total}, block ${offer.block_number}, impact ${offer.price_impact_bps} bp\n\n`,
  );
  process.stdout.write(`${drawRoute(offer, tokens).join("\n")}\n`);
}
