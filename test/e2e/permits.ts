import { encodeFunctionData, erc20Abi, type Hex, maxUint256, type TypedDataDefinition } from "viem";
import type { Offer } from "./api.ts";
import { describeCase, makeCase } from "./cases.ts";
import type { Market } from "./directed.ts";
import { fundPayer } from "./paying.ts";
import { chooseAmount, executed, type Outcome, request } from "./swap.ts";

type Kind = "eip2612" | "dai" | "permit2";

type Offered = {
  typed_data: TypedDataDefinition;
  permit_nonce: string;
  permit_deadline: number;
  ready: boolean;
  approve?: Hex;
};

/** Every kind of signature, over the tokens of the devnet that take it. */
const ROUNDS: readonly (readonly [kind: Kind, sold: string, bought: string])[] = [
  ["eip2612", "USDC", "WETH"],
  ["eip2612", "USDC", "DAI"],
  ["dai", "DAI", "USDT"],
  ["permit2", "USDC", "WBTC"],
  ["permit2", "USDT", "WETH"],
  ["permit2", "WETH", "UNI"],
];

/** Swaps that a signature pays for: nothing was approved for the router before. */
export async function* permitOutcomes(market: Market): AsyncGenerator<Outcome> {
  for (const [kind, sold, bought] of ROUNDS) {
    try {
      yield await runPermit(market, kind, [sold, bought]);
    } catch (error) {
      const faults = [(error as Error).stack ?? String(error)];
      yield { text: `${kind} of ${sold}`, faults, sources: [], isSplit: false };
    }
  }
}

async function runPermit(market: Market, kind: Kind, symbols: readonly [string, string]): Promise<Outcome> {
  const { world, tokens, wrapped, random } = market;
  const { chain } = world;
  const [tokenIn, tokenOut] = symbols.map((symbol) => tokens.find((token) => token.symbol === symbol)!);
  const drawn = makeCase(tokens, wrapped, random);
  const one = { ...drawn, tokenIn: tokenIn!, tokenOut: tokenOut!, validated: true, walletIndex: 8 };
  const payer = chain.wallet(one.walletIndex);
  const amount = (await chooseAmount(world, one))!;
  await fundPayer(world, one, payer, amount);

  const path = `/v1/${chain.chainId}/quote`;
  const asked = { ...request({ ...one, sellFee: 0, buyFee: 0 }, amount), takerAddress: payer.address };
  const min_block = await chain.blockNumber();
  const first = await world.api<Offer & { permit?: Partial<Record<Kind, Offered>> }>(path, {
    ...asked,
    min_block,
  });
  const offered = first.permit?.[kind];
  if (offered === undefined) throw new Error(`The quote offers no ${kind}.`);
  const allowance = await chain.allowance(tokenIn!.address, payer.address, first.to);
  if (allowance !== 0n) throw new Error(`${allowance} are approved for the router already.`);
  if (!offered.ready) await approveOnce(market, tokenIn!.address, offered.approve!);

  const terms = { permit_kind: kind, permit_deadline: offered.permit_deadline };
  const offer = await world.api<Offer>(path, {
    ...asked,
    ...terms,
    permit_signature: await payer.signTypedData(offered.typed_data),
    permit_nonce: kind === "eip2612" ? undefined : offered.permit_nonce,
    skipValidation: "false",
    min_block: await chain.blockNumber(),
  });
  const swap = { ...one, sellFee: 0, buyFee: 0, otherRecipient: false };
  const outcome = await executed(world, { one: swap, amount, offer, payer });
  return { ...outcome, text: `by ${kind} signature: ${describeCase(swap, amount)}` };
}

/** Permit2 takes what it has been approved for, once and for all. */
async function approveOnce({ world: { chain } }: Market, token: Hex, spender: Hex): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] });
  const hash = await chain.send(chain.wallet(8), { to: token, data, value: 0n, gas: 100_000n });
  await chain.mine();
  if ((await chain.receipt(hash)).status !== "0x1") throw new Error("The approval of Permit2 reverted.");
}
