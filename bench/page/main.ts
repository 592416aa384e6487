/**
 * `npm run bench:page`: what a newcomer waits for, measured in Chromium on the devnet as `npm start` serves it.
 * Prints a table; no figure passes or fails a test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "../../scripts/browser/chromium.ts";
import { readFlags } from "../../scripts/command-line.ts";
import { startStack } from "../../test/support/stack.ts";

readFlags({});
const RUNS = 5;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
const ASSETS = new URL("../../web/dist/assets/", import.meta.url);
const DEVNET = "31337";

type Row = { readonly what: string; readonly figure: string; readonly bar: string };

/** Kilobytes of all scripts and of all styles, compressed as a server sends them. */
function weigh(): readonly Row[] {
  const weight = (ending: string) => {
    const files = readdirSync(ASSETS).filter((name) => name.endsWith(ending));
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, ASSETS))).length, 0);
    return `${(bytes / 1024).toFixed(1)} KiB`;
  };
  return [
    { what: "scripts, gzip", figure: weight(".js"), bar: "≤ 90 KiB" },
    { what: "styles, gzip", figure: weight(".css"), bar: "" },
  ];
}

/** Milliseconds from the navigation to the first offer that is not a skeleton, each in a fresh profile. */
async function firstOffers(browser: Browser, url: string): Promise<Row> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await page.locator(".pulse-offer").waitFor();
    times.push(performance.now() - start);
    await context.close();
  }
  times.sort((a, b) => a - b);
  const [least, median, most] = [times[0]!, times[RUNS >> 1]!, times.at(-1)!].map((ms) => ms.toFixed(0));
  const figure = `${median} ms (${least} … ${most})`;
  return { what: `first offer on screen, median of ${RUNS}`, figure, bar: "≤ 1000 ms" };
}

/** Blocks from the last click to the receipt on the screen, by the built-in wallet. */
async function swapBlocks(browser: Browser, url: string): Promise<readonly Row[]> {
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  const start = performance.now();
  await page.goto(url);
  let clicks = 0;
  const click = async (selector: string) => {
    await page.locator(selector).click();
    clicks += 1;
  };
  await click("#act");
  await click(".wallet-row");
  await page.locator('#act[data-action="swap"]').waitFor();
  await click("#act");
  await page.locator("#confirm").waitFor();
  const before = await blockOf(page, url);
  const sent = performance.now();
  await click("#confirm");
  await page.locator('[data-end="mined"]').waitFor();
  const seconds = ((performance.now() - sent) / 1000).toFixed(1);
  const blocks = (await blockOf(page, url)) - before;
  const whole = ((performance.now() - start) / 1000).toFixed(1);
  await page.close();
  return [
    {
      what: "swap by the built-in wallet, click to receipt",
      figure: `${blocks} blocks, ${seconds} s`,
      bar: "≤ 2 blocks",
    },
    { what: "page opened to swap executed", figure: `${whole} s, ${clicks} clicks`, bar: "" },
  ];
}

async function blockOf(page: Page, url: string): Promise<number> {
  const health = (await (await page.request.get(`${url}/health`)).json()) as {
    chains: readonly { chainId: number; block_number: number }[];
  };
  return health.chains.find(({ chainId }) => String(chainId) === DEVNET)?.block_number ?? 0;
}

async function main(): Promise<void> {
  if (CHROMIUM === undefined)
    throw new Error("No Chromium (Debian: apt-get install chromium; or set CHROMIUM_PATH)");
  const stack = await startStack();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const rows = [
      ...weigh(),
      await firstOffers(browser, stack.url),
      ...(await swapBlocks(browser, stack.url)),
    ];
    const [busy] = loadavg();
    rows.push({
      what: "processes that wanted a core, mean of the last minute",
      figure: `${busy!.toFixed(1)} on ${availableParallelism()} cores`,
      bar: "",
    });
    const width = Math.max(...rows.map(({ what }) => what.length));
    for (const { what, figure, bar } of rows)
      process.stdout.write(`${what.padEnd(width)}  ${figure.padEnd(28)} ${bar}\n`);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

await main();
