/**
 * `npm run soak -- --minutes N --seed S`: a devnet under traffic, swaps and reorgs, with every price compared with a fresh read at its
 * own block. Exits 1 on a wrong price, where the service falls far behind its node, and where nothing is offered for a fifth of the run. A run
 * of at least ten minutes also exits 1 where the memory of the service or of the devnet's node grows, or the service's open files do.
 */
import { numberAboveZero, readFlags, seedOf } from "../../scripts/command-line.ts";
import { randomOf } from "../../src/devnet/traffic.ts";
import type { Offered } from "../../test/chain/exact.ts";
import { createReference, type Rpc, rpcOf } from "./reference.ts";
import { reorg } from "./reorg.ts";
import { startDevnetService } from "./service.ts";

const { values } = readFlags({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});
const minutes = numberAboveZero("minutes", values.minutes);
const seed = seedOf(values.seed);

const CHAIN_ID = 31_337;
const BLOCK_MS = 1_000;
const LANES = 3;
const PAUSE_MS = 100;
const SWAP_MS = 2_000;
const REORG_MS = 15_000;
const SAMPLE_MS = 5_000;
/** The memory of the last fifth may be this share above that of the middle fifth. */
const GROWTH = 0.1;
/** Connections come and go, so that this many open files more are no leak. */
const SPARE_FILES = 20;
/** Blocks of a second that the service may be behind: its prices are exact at their own block, however old that is. */
const MOST_BEHIND = 60;
/** A shorter run does not judge memory: the node fills up with the states of its newest 128 blocks until its middle. */
const LEAST_MINUTES = 10;

type Tally = {
  exact: number;
  gone: number;
  refused: number;
  quotes: number;
  swaps: number;
  reorgs: number;
  readonly wrong: string[];
};

const tally: Tally = { exact: 0, gone: 0, refused: 0, quotes: 0, swaps: 0, reorgs: 0, wrong: [] };
const progress = { exact: [] as number[], files: [] as number[], mostBehind: 0 };
const memory = { service: [] as number[], node: [] as number[] };
const random = randomOf(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const service = await startDevnetService(BLOCK_MS);
const rpc: Rpc = rpcOf(service.nodeUrl);
const reference = await createReference(rpc, CHAIN_ID, BLOCK_MS);
const tokens = await service.tokens(CHAIN_ID);
const accounts = await rpc<string[]>("eth_accounts", []);
const end = performance.now() + minutes * 60_000;
const isOver = () => performance.now() >= end;
console.log(`seed ${seed}, ${minutes} minutes, ${tokens.length} tokens`);

/** An amount between a millionth of a token and a thousand of them. */
function query(): string {
  const [from, to] = [pick(tokens), pick(tokens)];
  const amount =
    BigInt(Math.floor(10 ** (random() * 9) * 1e3)) * 10n ** BigInt(Math.max(0, from.decimals - 9));
  return `fromTokenAddress=${from.address}&toTokenAddress=${to.address}&amount=${amount}`;
}

async function check(offer: Offered): Promise<void> {
  const verdict = await reference.check(offer);
  if (typeof verdict !== "string") tally.wrong.push(`${verdict.wrong} at block ${offer.block_number}`);
  else tally[verdict]++;
}

async function asks(): Promise<void> {
  while (!isOver()) {
    const isQuote = random() < 0.2;
    const taker = isQuote ? `&takerAddress=${pick(accounts)}&skipValidation=true&slippage=${SLIPPAGE}` : "";
    const offer = await service.get(`/v1/${CHAIN_ID}/${isQuote ? "quote" : "price"}?${query()}${taker}`);
    if (offer === undefined) tally.refused++;
    else {
      if (isQuote) tally.quotes++;
      await check(offer as Offered);
    }
    await pause(PAUSE_MS);
  }
}

type Quote = Offered & { readonly to: string; readonly calldata: string; readonly value: string };

const NATIVE = `0x${"ee".repeat(20)}`;
/** Percent in tenths; amounts move between a quote and its block. */
const SLIPPAGE = 20;

async function swaps(): Promise<void> {
  while (!isOver()) {
    await pause(SWAP_MS);
    const from = pick(accounts);
    const amount = BigInt(Math.floor(10 ** (random() * 3) * 1e9)) * 10n ** 6n;
    const offer = (await service.get(
      `/v1/${CHAIN_ID}/quote?fromTokenAddress=${NATIVE}&toTokenAddress=${pick(tokens).address}&amount=${amount}&takerAddress=${from}&skipValidation=true&slippage=${SLIPPAGE}`,
    )) as Quote | undefined;
    if (offer === undefined) continue;
    await check(offer);
    const { to, calldata: data } = offer;
    const value = `0x${BigInt(offer.value).toString(16)}`;
    const transaction = { from, to, data, value, gas: "0x7a1200" };
    const isSent = await rpc("eth_sendTransaction", [transaction]).then(
      () => true,
      () => false,
    );
    if (isSent) tally.swaps++;
  }
}

async function reorgs(): Promise<void> {
  while (!isOver()) {
    await pause(REORG_MS);
    await reorg(rpc, 1 + Math.floor(random() * 3));
    tally.reorgs++;
  }
}

async function samples(): Promise<void> {
  for (let k = 0; !isOver(); k++) {
    memory.service.push(service.rss());
    memory.node.push(service.nodeRss());
    progress.files.push(service.openFiles());
    progress.exact.push(tally.exact);
    const head = Number(await rpc<string>("eth_blockNumber", []));
    progress.mostBehind = Math.max(progress.mostBehind, head - (await service.block()));
    if (k % 12 === 0) console.log(line(Math.round((k * SAMPLE_MS) / 60_000)));
    await pause(SAMPLE_MS);
  }
}

const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

function line(minute: number | string): string {
  const { exact, gone, refused, quotes, swaps: swapped, reorgs: forks, wrong } = tally;
  const cells = [minute, exact, wrong.length, gone, refused, quotes, swapped, forks];
  const held = [mb(memory.service.at(-1) ?? 0), mb(memory.node.at(-1) ?? 0)];
  return `| ${[...cells, ...held].map((cell) => String(cell).padStart(8)).join(" | ")} |`;
}

/** Median of a fifth of the samples. */
function fifth(list: readonly number[], k: number): number {
  const part = list.slice(Math.floor((k * list.length) / 5), Math.floor(((k + 1) * list.length) / 5));
  return part.sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
}

const names = [
  "minute",
  "exact",
  "wrong",
  "gone",
  "no offer",
  "quotes",
  "swaps",
  "reorgs",
  "service",
  "node",
];
console.log(`| ${names.map((name) => name.padStart(8)).join(" | ")} |`);
await Promise.all([...Array.from({ length: LANES }, asks), swaps(), reorgs(), samples()]);
console.log(line("end"));
await service.stop();

const faults = tally.wrong.slice(0, 5).map((wrong) => `wrong: ${wrong}`);
if (tally.exact === 0) faults.push("nothing was compared");
for (const [name, list] of Object.entries(memory)) {
  const [middle, last] = [fifth(list, 2), fifth(list, 4)];
  const growth = last / middle - 1;
  console.log(
    `memory of the ${name}: ${mb(middle)} in the middle, ${mb(last)} at the end, ${(100 * growth).toFixed(1)} %`,
  );
  if (minutes >= LEAST_MINUTES && !(growth <= GROWTH))
    faults.push(`the memory of the ${name} grew by more than ${100 * GROWTH} %`);
}
const files = [fifth(progress.files, 2), fifth(progress.files, 4)] as const;
console.log(`open files of the service: ${files[0]} in the middle, ${files[1]} at the end`);
if (minutes >= LEAST_MINUTES && files[1] > files[0] * (1 + GROWTH) + SPARE_FILES)
  faults.push("the service opens files that it does not close");
console.log(`the service was at most ${progress.mostBehind} blocks behind its node`);
if (progress.mostBehind > MOST_BEHIND) faults.push(`the service was more than ${MOST_BEHIND} blocks behind`);
const marks = [0, 1, 2, 3, 4].map((k) => progress.exact[Math.floor((k * progress.exact.length) / 5)]!);
if ([...marks, tally.exact].some((exact, k, all) => k > 0 && exact === all[k - 1]))
  faults.push("nothing was offered for a fifth of the run");
if (minutes < LEAST_MINUTES) console.log(`memory is judged from ${LEAST_MINUTES} minutes on`);
for (const fault of faults) console.log(fault);
console.log(`${tally.exact} exact, ${tally.wrong.length} wrong`);
process.exit(faults.length === 0 ? 0 : 1);
