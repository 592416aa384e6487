import { createInterface } from "node:readline/promises";
import { createPublicClient, createWalletClient, type Hex, http, type LocalAccount } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import {
  formatAmount,
  NATIVE,
  type QuoteAnswer,
  type SwapResult,
  type SwapStage,
} from "../../packages/sdk/src/index.ts";
import { describeOffer, drawRoute, jsonText } from "../draw-route.ts";
import { amountOf, type Order } from "./braid-market.ts";
import { type Options, UsageError } from "./braid-options.ts";

/** `npm run braid -- swap`: makes a wallet of a key, shows the quote, swaps, and tells what was realised. */

const DEVNET_RPC = "http://127.0.0.1:8545";
const DEVNET_MNEMONIC = "test test test test test test test test test test test junk";
const DEVNET_ACCOUNTS = 10;
const APPROVALS = ["auto", "approve", "signature"] as const;

export async function swapCommand(order: Order, options: Options): Promise<string> {
  const approval = APPROVALS.find((each) => each === options.approval);
  if (approval === undefined)
    throw new UsageError(`--approval is one of ${APPROVALS.join(", ")}, not "${options.approval}"`);
  const { parameters, sell, buy, amount, isBuy, market } = order;
  const limit = (name: string, token: typeof sell) => {
    const text = options[name];
    return text === undefined ? undefined : amountOf(text, token);
  };
  const limits = { minOut: limit("min-out", buy), maxIn: limit("max-in", sell) };
  const wallet = await walletOf(order, options);
  const { feeRecipient, sellTokenPercentageFee, buyTokenPercentageFee } = parameters;
  const { withGas, includeAggregator, excludeAggregator } = parameters;
  const result = await market.braid.swap({
    ...{ wallet, sell: sell.address, buy: buy.address, amount, side: isBuy ? "BUY" : "SELL", approval },
    ...{ ...limits, withGas, includeAggregator, excludeAggregator },
    chainID: market.chainID,
    slippagePercent: parameters.slippage / 10,
    recipient: options.recipient,
    ...(feeRecipient === undefined
      ? {}
      : {
          fee: {
            recipient: feeRecipient,
            sellPermille: sellTokenPercentageFee ?? 0,
            buyPermille: buyTokenPercentageFee ?? 0,
          },
        }),
    confirm: (quote) => confirmed(order, options, quote),
    onStep: (step) => tell(step, order),
  });
  return options.json === "true" ? jsonText(result) : describe(result, order);
}

async function walletOf({ market }: Order, options: Options) {
  const key = process.env.BRAID_PRIVATE_KEY || undefined;
  // A node that the service names sees what a wallet sends: it is taken for the test accounts alone.
  const devnet = key === undefined ? market.devnetRpcUrl : undefined;
  const set = process.env[`RPC_URL_${market.chainID}`]?.split(",")[0];
  const rpc = options.rpc ?? set ?? devnet ?? DEVNET_RPC;
  // A mistyped address is not repeated: it may hold the key of a provider.
  if (!/^https?:\/\//i.test(rpc) || !URL.canParse(rpc))
    throw new UsageError(`--rpc, or RPC_URL_${market.chainID}, is an address such as ${DEVNET_RPC}`);
  const transport = http(rpc);
  const account = key === undefined ? await testAccount(rpc, options) : keyAccount(key);
  await requireNode(rpc);
  process.stderr.write(`wallet ${account.address.toLowerCase()} on chain ${market.chainID}\n`);
  return createWalletClient({ account, transport });
}

function keyAccount(key: string): LocalAccount {
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(key))
    throw new UsageError("BRAID_PRIVATE_KEY is no private key of 64 hexadecimal digits");
  return privateKeyToAccount(`0x${key.replace("0x", "")}` as Hex);
}

/** The well-known accounts belong to everybody: they are used on a local test node only. */
async function testAccount(rpc: string, { account = "0" }: Options): Promise<LocalAccount> {
  if (!/^\d$/.test(account))
    throw new UsageError(`--account is 0 to ${DEVNET_ACCOUNTS - 1}, not "${account}"`);
  const client = createPublicClient({ transport: http(rpc) });
  const node = await client.request({ method: "web3_clientVersion" }).catch(() => noNode(rpc));
  if (!/^anvil/i.test(node))
    throw new UsageError(
      `The node at ${new URL(rpc).origin} is no devnet: set BRAID_PRIVATE_KEY to the key of your wallet`,
    );
  return mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: Number(account) });
}

/** Asked before the swap, which would say no more than that a request failed. */
async function requireNode(rpc: string): Promise<void> {
  await createPublicClient({ transport: http(rpc) })
    .getChainId()
    .catch(() => noNode(rpc));
}

/** Addresses of providers hold keys: no more of them is printed than where they lead. */
function noNode(rpc: string): never {
  throw new UsageError(
    `No node answers at ${new URL(rpc).origin}: set --rpc, and BRAID_PRIVATE_KEY for a chain that is no devnet`,
  );
}

async function confirmed(
  { sell, buy, market, isBuy, parameters: { slippage } }: Order,
  options: Options,
  quote: QuoteAnswer,
): Promise<boolean> {
  // After an approval the swap is quoted again, and an exact amount bought may cost more by then.
  const most = quote.amount_in + (quote.amount_in * BigInt(Math.round(slippage * 1000))) / 1_000_000n;
  const isNative = sell.address === NATIVE;
  const lines = [
    ...describeOffer(quote, { sell, buy, slippage }),
    ...(isBuy && !isNative
      ? [`at most ${formatAmount(most, sell.decimals)} ${sell.symbol} if approved first`]
      : []),
    "",
    ...drawRoute(quote, market.tokens),
    "",
  ];
  process.stderr.write(`${lines.join("\n")}\n`);
  if (options.yes === "true") return true;
  if (!process.stdin.isTTY) throw new UsageError("nobody can be asked here: --yes swaps without asking");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question("Swap? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

function tell(step: SwapStage, { sell }: Order): void {
  const said = {
    quoted: () => "",
    signing: () => "signing a permit in the place of an approval",
    approving: () =>
      step.stage === "approving"
        ? `approving ${formatAmount(step.amount, sell.decimals)} ${sell.symbol}`
        : "",
    sending: () => "sending the swap",
    batched: () => "",
    sent: () => (step.stage === "sent" ? `sent ${step.hash}` : ""),
  }[step.stage]();
  if (said !== "") process.stderr.write(`${said}\n`);
}

function describe(result: SwapResult, { sell, buy }: Order): string {
  const { amountOut = result.minimumOut } = result;
  const difference = amountOut - result.quotedOut;
  const change =
    difference === 0n
      ? "exactly as quoted"
      : `${difference > 0n ? "+" : ""}${difference} units against the quote`;
  const against = result.amountOut === undefined ? "at least: the node does not tell the amount" : change;
  const give = `${formatAmount(result.amountIn, sell.decimals)} ${sell.symbol}`;
  const take = `${formatAmount(amountOut, buy.decimals)} ${buy.symbol}`;
  return `${give} → ${take}, ${against}\ngas ${result.gasUsed}, block ${result.blockNumber}, ${result.hash}`;
}
