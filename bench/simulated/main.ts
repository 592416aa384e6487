/**
 * `npm run simulated`: quotes of a devnet under traffic, each of whose calldata is run on the quote's own block. Exits 1 unless every one of
 * them pays to the unit what it said. A run that was ended goes on where it was, with the same file.
 *
 *   -- --count 100000                quotes that are to be simulated, those of earlier runs of the file included
 *   -- --file simulated.json         what they came to
 *   -- --seed random                 of the requests of this run
 *   -- --minutes 60                  ends then, whatever is reached
 */

import { resolve } from "node:path";
import { numberAboveZero, readFlags, refuse, seedOf, wholeNumber } from "../../scripts/command-line.ts";
import { seeded } from "../../test/support/random.ts";
import { rpcOf } from "../soak/reference.ts";
import { startDevnetService } from "../soak/service.ts";
import { createAgain, type Runnable } from "./again.ts";
import {
  type Answer,
  faultsOf,
  isExact,
  noteAnswer,
  noteRefusal,
  ranAgain,
  readProgress,
  simulatedOf,
  writeProgress,
} from "./progress.ts";

const text = { type: "string" } as const;
const { values } = readFlags({
  options: {
    count: { ...text, default: "100000" },
    file: { ...text, default: "simulated.json" },
    seed: { ...text, default: "random" },
    minutes: { ...text, default: "60" },
  },
});
const count = wholeNumber("count", values.count, 1);
const minutes = numberAboveZero("minutes", values.minutes);
const seed = seedOf(values.seed);

const CHAIN_ID = 31_337;
const BLOCK_MS = 1_000;
const LANES = 4;
const SAVE_MS = 10_000;

const path = resolve(values.file);
const progress = readProgress(path);
if (progress.seeds.includes(seed)) refuse(`--seed ${seed} was used up by an earlier run of ${path}`);
progress.seeds.push(seed);
const random = seeded(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const service = await startDevnetService(BLOCK_MS);
let isEnded = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    isEnded = true;
  });
}
const tokens = await service.tokens(CHAIN_ID);
const runAgain = createAgain(rpcOf(service.nodeUrl), BLOCK_MS);
const endMs = performance.now() + minutes * 60_000;
const isOver = () => isEnded || simulatedOf(progress) >= count || performance.now() >= endMs;
console.log(`seed ${seed}, ${tokens.length} tokens, ${simulatedOf(progress)} quotes simulated before`);

/** Any two tokens, a millionth of one to a thousand of them, and every parameter that changes what calldata does. */
function query(): string {
  const [from, to] = [pick(tokens), pick(tokens)];
  const isBought = random() < 0.15;
  const { decimals } = isBought ? to : from;
  const amount = BigInt(Math.floor(10 ** (random() * 9) * 1e3)) * 10n ** BigInt(Math.max(0, decimals - 9));
  const account = () => `0x${seededHex(40)}`;
  return [
    `fromTokenAddress=${from.address}&toTokenAddress=${to.address}&amount=${amount}&slippage=${pick([1, 10, 50])}`,
    ...(isBought ? ["side=BUY"] : []),
    ...(random() < 0.5 ? ["withGas=true"] : []),
    ...(random() < 0.2 ? [`feeRecipient=${account()}&buyTokenPercentageFee=${pick([0, 3, 30])}`] : []),
    ...(random() < 0.2 ? [`recipientAddress=${account()}`] : []),
  ].join("&");
}

const seededHex = (digits: number): string =>
  Array.from({ length: digits }, () => "0123456789abcdef"[Math.floor(random() * 16)]).join("");

async function asks(): Promise<void> {
  while (!isOver()) {
    const asked = query();
    const response = await fetch(`${service.url}/v1/${CHAIN_ID}/quote?${asked}`, {
      signal: AbortSignal.timeout(60_000),
    });
    const answer = (await response.json()) as Answer & Runnable & { reason?: string };
    if (response.status === 200) await note(asked, answer);
    else noteRefusal(progress, answer.reason ?? String(response.status));
  }
}

async function note(asked: string, answer: Answer & Runnable): Promise<void> {
  const isDoubted = answer.simulation !== null && !isExact(answer);
  if (isDoubted) progress.again++;
  noteAnswer(progress, asked, isDoubted ? ranAgain(answer, await runAgain(answer)) : answer);
}

async function reroutes(): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^braid_quote_reroutes_total\{.*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

const before = progress.rerouted;
async function save(): Promise<void> {
  progress.rerouted = before + (await reroutes());
  writeProgress(path, progress);
  console.log(`${simulatedOf(progress)} of ${count}: ${JSON.stringify(progress.statuses)}`);
}

const timer = setInterval(() => void save().catch(console.error), SAVE_MS);
try {
  await Promise.all(Array.from({ length: LANES }, asks));
} finally {
  clearInterval(timer);
  await save();
  await service.stop();
}
const { methods, unrun, refused, seeds, again } = progress;
console.log(
  `by method ${JSON.stringify(methods)}, run again ${again}, not run ${JSON.stringify(unrun)}, no offer ${JSON.stringify(refused)}`,
);
const faults = faultsOf(progress, count);
for (const fault of faults) console.log(fault);
console.log(
  `${simulatedOf(progress)} simulated, ${progress.statuses.exact ?? 0} to the unit, seeds ${seeds.join(" ")}`,
);
process.exit(faults.length === 0 ? 0 : 1);
