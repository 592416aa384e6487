/**
 * Drives the built page in a real Chromium: first on prepared answers, then on the whole service as a user starts it, then
 * through whole swaps by a wallet.
 * `npm run test:browser` runs all; `-- prepared`, `-- live` or `-- swaps` a part of it; `-- images` takes the pictures of docs/images
 * anew, which is no test and so only done when asked.
 */
import { spawnSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";
import { accessCases } from "../../test/browser/access-cases.ts";
import { allowanceCases } from "../../test/browser/allowance-cases.ts";
import { failureCases } from "../../test/browser/failure-cases.ts";
import { startFixture } from "../../test/browser/fixture-server.ts";
import { runCases } from "../../test/browser/harness.ts";
import { interruptionCases } from "../../test/browser/interruption-cases.ts";
import { liveCases, pictureCases } from "../../test/browser/live-cases.ts";
import { offerCases } from "../../test/browser/offer-cases.ts";
import { swapCases } from "../../test/browser/swap-cases.ts";
import { tokenCases } from "../../test/browser/token-cases.ts";
import { useCases } from "../../test/browser/use-cases.ts";
import { walletCases } from "../../test/browser/wallet-cases.ts";
import { ONE_THREAD, type Stack, startStack } from "../../test/support/stack.ts";
import { readFlags, refuse } from "../command-line.ts";
import { HEADLESS_CHROMIUM } from "./chromium.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
const PARTS = { prepared, live, swaps, images };
const UNASKED = ["prepared", "live", "swaps"];

async function prepared(browser: Browser) {
  const service = await startFixture("web/dist");
  try {
    return await runCases(browser, [...offerCases(service), ...useCases(service), ...tokenCases(service)], {
      origin: service.url,
      before: service.reset,
      isStill: true,
    });
  } finally {
    await service.stop();
  }
}

async function live(browser: Browser) {
  return onStack(({ url, rpc }) => runCases(browser, liveCases(url, rpc), { origin: url }));
}

async function swaps(browser: Browser) {
  const run = ({ url, rpc }: Stack) => {
    const sent = [...swapCases(url, rpc), ...failureCases(url, rpc), ...interruptionCases(url, rpc)];
    const cases = [...sent, ...allowanceCases(url, rpc), ...accessCases(url), ...walletCases(url, rpc)];
    return runCases(browser, cases, { origin: url, isStill: true });
  };
  return onStack(run, ONE_THREAD);
}

async function images(browser: Browser) {
  return onStack(({ url }) => runCases(browser, pictureCases(url, "docs/images"), { origin: url }));
}

async function onStack<T>(work: (stack: Stack) => Promise<T>, settings = {}): Promise<T> {
  const stack = await startStack(settings);
  try {
    return await work(stack);
  } finally {
    await stack.stop();
  }
}

async function main(wanted: readonly string[]): Promise<number> {
  if (HEADLESS_CHROMIUM === undefined) {
    process.stdout.write("!!! LEFT OUT: the page in a browser. No Chromium here ");
    process.stdout.write(
      "(Debian: apt-get install chromium; or set CHROMIUM_PATH)\n0 passed, 0 failed, 1 skipped\n",
    );
    return 0;
  }
  const built = spawnSync(process.execPath, ["scripts/install/prepare.ts"], { stdio: "inherit" });
  if (built.status !== 0) throw new Error("the page does not build");
  const browser = await chromium.launch({ executablePath: HEADLESS_CHROMIUM, args: FLAGS });
  const total = { passed: 0, failed: 0 };
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (!(wanted.length > 0 ? wanted : UNASKED).includes(name)) continue;
      process.stdout.write(`\n${name}\n`);
      const { passed, failed } = await part(browser);
      total.passed += passed;
      total.failed += failed;
    }
  } finally {
    await browser.close();
  }
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, 0 skipped\n`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

const { positionals: parts } = readFlags({ allowPositionals: true });
for (const part of parts)
  if (!Object.hasOwn(PARTS, part))
    refuse(`"${part}" is no part of the tests: ${Object.keys(PARTS).join(", ")}`);
process.exit(await main(parts));
