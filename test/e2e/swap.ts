import type { Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { toHex } from "viem/utils";
import { decodeSwap } from "../../src/core/encoding/index.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { calldataGas, fixedGas } from "../../src/core/gas/gas.ts";
import { routerWork } from "../../src/core/gas/router-work.ts";
import { type Api, ApiError, type Offer } from "./api.ts";
import { type Case, describeCase } from "./cases.ts";
import { NATIVE, type Receipt, type TestChain, type Transaction } from "./chain.ts";
import { type GasFacts, gasFacts, newHolderGas } from "./gas/gas.ts";
import { approve, fundPayer, type Waiting } from "./paying.ts";

export type World = {
  readonly chain: TestChain;
  readonly api: Api;
  readonly wrapped: Hex;
  readonly serial: { next: number };
};

/** Names a fault in words that say what was expected; an empty list is a swap that was exact. */
export type Outcome = {
  readonly text: string;
  readonly faults: readonly string[];
  readonly sources: readonly string[];
  /** What the swap used of the limit that it was given; absent where none was sent. */
  readonly gas?: GasFacts;
  /** Whether some token was sold to several pools. */
  readonly isSplit: boolean;
};

/**
 * quote → approve exactly → send with gas limit = estimate → every balance moves by exactly what was answered.
 *
 * @returns undefined where nothing joins the pair, or the amount that its depth gives is not wanted
 */
export async function runCase(
  world: World,
  one: Case,
  isWanted: (amount: bigint) => Promise<boolean> = async () => true,
): Promise<Outcome | undefined> {
  const { chain } = world;
  const payer = chain.wallet(one.walletIndex);
  const amount = await chooseAmount(world, one);
  if (amount === undefined || !(await isWanted(amount))) return undefined;
  await fundPayer(world, one, payer, amount);
  const recipient = one.otherRecipient ? (freshAccount(world).address.toLowerCase() as Hex) : undefined;
  const feeRecipient =
    one.sellFee + one.buyFee > 0 ? (freshAccount(world).address.toLowerCase() as Hex) : undefined;
  const waiting = await approve(world, one, payer, amount);

  const query = {
    ...request(one, amount),
    feeRecipient,
    recipientAddress: recipient,
    takerAddress: one.validated ? payer.address : undefined,
    skipValidation: one.validated ? "false" : undefined,
    min_block: await chain.blockNumber(),
  };
  const offer = await world.api<Offer>(`/v1/${chain.chainId}/quote`, query).catch((cause: Error) => {
    throw new Error(`${describeCase(one, amount)}: ${cause.message}`, { cause });
  });
  const model = one.validated ? await modelled(world, query, offer) : undefined;
  return executed(world, { one, amount, offer, payer, recipient, feeRecipient, waiting, model });
}

/** What the model says of the transaction that was run for its estimate. */
async function modelled(world: World, query: Parameters<Api>[1], offer: Offer): Promise<number | undefined> {
  const unknown = { ...query, takerAddress: undefined, skipValidation: undefined };
  const { calldata, estimate_gas_total } = await world.api<Offer>(
    `/v1/${world.chain.chainId}/quote`,
    unknown,
  );
  return calldata === offer.calldata ? Number(estimate_gas_total) : undefined;
}

type Execution = {
  readonly one: Case;
  readonly amount: bigint;
  readonly offer: Offer;
  readonly payer: LocalAccount;
  /** The payer unless given. */
  readonly recipient?: Hex | undefined;
  readonly feeRecipient?: Hex | undefined;
  /** The payer's transactions that the same block will take first. */
  readonly waiting?: readonly Waiting[];
  /** The estimate for a wallet that is not known; where one is given, what it would be without. */
  readonly model?: number | undefined;
};

/** Sends the offer with its estimate as gas limit, and compares every balance with what was answered. */
export async function executed(world: World, execution: Execution): Promise<Outcome> {
  const { chain } = world;
  const { one, amount, offer, payer, feeRecipient, waiting = [] } = execution;
  const recipient = execution.recipient ?? payer.address;
  const watched = { payer: payer.address, recipient, feeRecipient, router: offer.to };
  const before = await balances(world, one, watched);
  const sent = transaction(offer);
  const hash = await chain.send(payer, sent, waiting.length);
  await chain.mine();
  const receipts = await Promise.all([hash, ...waiting.map((own) => own.hash)].map(chain.receipt));
  const after = await balances(world, one, watched);
  const mined = { sent, receipt: receipts[0]!, from: payer.address, earlier: waiting };
  const deployments = offer.route_graph.steps.map((step) => step.deployment);
  const about = {
    validated: one.validated,
    deployments,
    model: one.validated ? execution.model : Number(offer.estimate_gas_total),
    fixed: fixedOf(one, offer),
    saved: savedByHolders(one, offer, { before, watched }),
  };
  const measured = await gasFacts(chain, mined, about);
  return {
    text: `${describeCase(one, amount)}, gas ${BigInt(receipts[0]!.gasUsed)} of ${offer.estimate_gas_total}`,
    faults: [...check(one, offer, amount, { before, after, receipts, watched }), ...shortModel(measured.gas)],
    sources: deployments,
    ...measured,
    isSplit: isSplit(offer),
  };
}

/** The model as it is for a sender that nobody knows, but for the steps; undefined where it starts with a signature. */
function fixedOf(one: Case, offer: Offer): number | undefined {
  const wire = decodeSwap(offer.calldata).route;
  if (wire.steps.some(({ kind }) => kind === stepKinds.permit || kind === stepKinds.permit2))
    return undefined;
  return fixedGas({
    ...routerWork(wire),
    calldataGas: calldataGas(offer.calldata),
    sellFee: one.sellFee > 0,
    buyFee: one.buyFee > 0,
    nativeIn: one.tokenIn.address === NATIVE,
    nativeOut: one.tokenOut.address === NATIVE,
    otherRecipient: one.otherRecipient,
  });
}

/** A wallet that nobody has named would have sent the swap with the model's limit. */
function shortModel(gas: GasFacts | undefined): string[] {
  if (gas?.model === undefined || gas.model >= gas.least) return [];
  return [`without a wallet the limit is ${gas.model}, the least that goes through ${gas.least}`];
}

/** Gas that was saved since those who are paid hold some of that already, which an estimate cannot know. */
function savedByHolders({ tokenIn, tokenOut }: Case, offer: Offer, { before, watched }: Paid): number {
  const feeIn = offer.sell_fee_amount === "0" ? 0n : before.sellFee;
  const feeOut = offer.fee_recipient_amount === "0" ? 0n : before.buyFee;
  // The payer, who has sent transactions, is known to have an account.
  const isOwn = tokenOut.address === NATIVE && watched.recipient === watched.payer;
  const paid: [Hex, bigint][] = [
    [tokenIn.address, feeIn],
    [tokenOut.address, feeOut],
    [tokenOut.address, isOwn ? 0n : before.received],
  ];
  return paid.reduce((sum, [token, held]) => sum + (held > 0n ? newHolderGas(token === NATIVE) : 0), 0);
}

function isSplit(offer: Offer): boolean {
  const sold = offer.route_graph.steps.map(({ token_in }) => token_in);
  return new Set(sold).size < sold.length;
}

export function request(one: Case, amount: bigint) {
  return {
    fromTokenAddress: one.tokenIn.address,
    toTokenAddress: one.tokenOut.address,
    amount: amount.toString(),
    slippage: one.slippage,
    sellTokenPercentageFee: one.sellFee || undefined,
    buyTokenPercentageFee: one.buyFee || undefined,
    withGas: one.withGas ? "true" : undefined,
    includeAggregator: one.include?.join(","),
  };
}

export function transaction(offer: Offer): Transaction {
  return {
    to: offer.to,
    data: offer.calldata,
    value: BigInt(offer.value),
    gas: BigInt(offer.estimate_gas_total),
  };
}

function freshAccount(world: World): LocalAccount {
  return privateKeyToAccount(toHex(BigInt(world.serial.next++) + 2n ** 200n, { size: 32 }));
}

/**
 * A share of what the first pools hold of the sold token; undefined where nothing joins the pair.
 */
export async function chooseAmount(world: World, one: Case): Promise<bigint | undefined> {
  const probe = 10n ** BigInt(one.tokenIn.decimals);
  const offer = await priceOf(world, one, probe);
  if (offer === undefined) return undefined;
  const held = await heldByFirst(world, one, offer);
  // What shares one contract with other pools, or trades without a stock, shows its depth by what it routes.
  const depth = held > 0n ? held : await largestRouted(world, one, probe);
  const amount = (depth * BigInt(Math.round(one.depthShare * 1e9))) / 10n ** 9n;
  return amount > 0n ? amount : 1n;
}

async function heldByFirst(world: World, one: Case, offer: Offer): Promise<bigint> {
  const sold = one.tokenIn.address === NATIVE ? world.wrapped : one.tokenIn.address;
  const first = offer.route_graph.steps.filter(
    ({ token_in, pool }) => [sold, one.tokenIn.address].includes(token_in) && pool.length === 42,
  );
  const held = await Promise.all(first.map((step) => world.chain.balanceOf(sold, step.pool)));
  return held.reduce((sum, balance) => sum + balance, 0n);
}

/** The last power of four, up to a few thousand units, that still routes. */
async function largestRouted(world: World, one: Case, probe: bigint): Promise<bigint> {
  let largest = probe;
  for (let power = 1; power <= 6; power++) {
    if ((await priceOf(world, one, largest * 4n)) === undefined) break;
    largest *= 4n;
  }
  return largest;
}

/** What the service answers for an amount without fees; undefined where no route takes it. */
export async function priceOf(world: World, one: Case, amount: bigint): Promise<Offer | undefined> {
  const query = request({ ...one, buyFee: 0, sellFee: 0 }, amount);
  try {
    return await world.api<Offer>(`/v1/${world.chain.chainId}/price`, query);
  } catch (error) {
    if (error instanceof ApiError && error.reason === "NO_ROUTE") return undefined;
    throw error;
  }
}

type Watched = { payer: Hex; recipient: Hex; feeRecipient: Hex | undefined; router: Hex };
type Balances = {
  paid: bigint;
  received: bigint;
  sellFee: bigint;
  buyFee: bigint;
  routerIn: bigint;
  routerOut: bigint;
};

async function balances(world: World, one: Case, watched: Watched): Promise<Balances> {
  const of = (token: Hex, account: Hex | undefined) => (account ? world.chain.balanceOf(token, account) : 0n);
  const [tokenIn, tokenOut] = [one.tokenIn.address, one.tokenOut.address];
  return {
    paid: await of(tokenIn, watched.payer),
    received: await of(tokenOut, watched.recipient),
    sellFee: await of(tokenIn, watched.feeRecipient),
    buyFee: await of(tokenOut, watched.feeRecipient),
    routerIn: await of(tokenIn, watched.router),
    routerOut: await of(tokenOut, watched.router),
  };
}

type Paid = { before: Balances; watched: Watched };
type Evidence = { before: Balances; after: Balances; receipts: readonly Receipt[]; watched: Watched };

function check(one: Case, offer: Offer, amount: bigint, evidence: Evidence): string[] {
  const { before, after, receipts, watched } = evidence;
  const { status, gasUsed } = receipts[0]!;
  if (status !== "0x1") return [`reverted; gas used ${BigInt(gasUsed)} of ${offer.estimate_gas_total}`];
  const gasPaid = receipts.reduce(
    (sum, own) => sum + BigInt(own.gasUsed) * BigInt(own.effectiveGasPrice),
    0n,
  );
  const gasOf = (token: Hex, account: Hex) => (token === NATIVE && account === watched.payer ? gasPaid : 0n);
  const expected: [string, bigint, bigint][] = [
    ["the payer pays", before.paid - after.paid - gasOf(one.tokenIn.address, watched.payer), amount],
    [
      "the recipient gets",
      after.received - before.received + gasOf(one.tokenOut.address, watched.recipient),
      BigInt(offer.amount_out_total),
    ],
    ["the sell fee is", after.sellFee - before.sellFee, BigInt(offer.sell_fee_amount)],
    ["the buy fee is", after.buyFee - before.buyFee, BigInt(offer.fee_recipient_amount)],
    ["the router keeps of the sold token", after.routerIn - before.routerIn, 0n],
    ["the router keeps of the bought token", after.routerOut - before.routerOut, 0n],
    ["the sell fee by the rule is", BigInt(offer.sell_fee_amount), (amount * BigInt(one.sellFee)) / 1000n],
    ["the percents sum to", BigInt(offer.routes.reduce((sum, entry) => sum + entry.percent, 0)), 100n],
  ];
  return expected.flatMap(([what, got, wanted]) =>
    got === wanted ? [] : [`${what} ${got}, expected ${wanted}`],
  );
}
