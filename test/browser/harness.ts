import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** One thing that the page must do. `page` is fresh: nothing is open in it. */
export type Case = {
  readonly name: string;
  readonly options?: BrowserContextOptions;
  /** Console messages that belong to the case, such as the browser's own line about a refused request. */
  readonly expected?: RegExp;
  readonly run: (page: Page) => Promise<void>;
};

const CASE_MS = 60_000;
const VIEW = { viewport: { width: 1280, height: 900 } };

/**
 * Runs the cases one after the other, a line each.
 *
 * @param isStill whether pages are asked for less motion, which costs much where the browser has no graphics card
 */
export async function runCases(
  browser: Browser,
  cases: readonly Case[],
  { origin, before = () => {}, isStill = false }: { origin: string; before?: () => void; isStill?: boolean },
) {
  const shared = { ...VIEW, reducedMotion: isStill ? "reduce" : "no-preference" } as const;
  let passed = 0;
  for (const one of cases) {
    before();
    const error = await outcome(browser, origin, { ...one, options: { ...shared, ...one.options } });
    process.stdout.write(
      error === undefined ? `ok   ${one.name}\n` : `FAIL ${one.name}\n     ${told(error)}\n`,
    );
    if (error === undefined) passed += 1;
  }
  return { passed, failed: cases.length - passed };
}

async function outcome(browser: Browser, origin: string, one: Case): Promise<Error | undefined> {
  const context = await browser.newContext(one.options);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const trouble = watch(page, origin, one.expected);
    await withDeadline(one.run(page));
    assert.deepEqual(trouble, [], "the console or the network complained");
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await context.close();
  }
}

async function withDeadline(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${CASE_MS} ms`)), CASE_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors and warnings of the console (the content policy speaks there too), and requests that leave the origin. */
function watch(page: Page, origin: string, expected: RegExp | undefined): string[] {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const bad = message.type() === "error" || message.type() === "warning";
    if (bad && !expected?.test(message.text()))
      trouble.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) trouble.push(`outside: ${url}`);
  });
  return trouble;
}

function told(error: Error): string {
  return (error.stack ?? error.message).split("\n").slice(0, 12).join("\n     ");
}

/** Reads until the check holds; fails with the check's last complaint. */
export async function eventually<T>(read: () => Promise<T>, check: (value: T) => void): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    try {
      check(value);
      return value;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The amount that answers, in the field that was not typed in: exact, with its symbol; empty while there is none. */
export async function bought(page: Page): Promise<string> {
  const answers = page.locator('input.amount[title]:not([title=""])');
  return (await answers.count()) === 0 ? "" : ((await answers.first().getAttribute("title")) ?? "");
}

/** Waits for an offer of the given token that is not being replaced. */
export async function offerOf(page: Page, symbol: string): Promise<string> {
  await page.locator(".pulse-offer").waitFor();
  return eventually(
    () => bought(page),
    (text) => assert.match(text, new RegExp(`^[0-9.]+ ${symbol}$`)),
  );
}

/** The text of a line of the offer, by its name. */
export async function fact(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-fact="${name}"] dd`).innerText()).replace(/\s+/g, " ");
}

/** Waits for the picture, which is drawn once its room is measured; how many flows it must have is up to `check`. */
export async function flows(page: Page, check: (count: number) => void): Promise<void> {
  await eventually(() => page.locator(".thread").count(), check);
}

/** Picks a token as a person with a keyboard does. */
export async function pick(page: Page, side: "sell" | "buy", typed: string): Promise<void> {
  await page.locator(`#pick-${side}`).press("Enter");
  await page.getByRole("combobox", { name: /Search/ }).fill(typed);
  await page.locator('.picker-row[aria-selected="true"]').waitFor();
  await page.keyboard.press("Enter");
  await page.locator("dialog.picker").waitFor({ state: "detached" });
}

/** Waits until the keyboard's focus is on the element. */
export async function focusIs(page: Page, selector: string): Promise<void> {
  await eventually(
    () => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`),
    (there) => assert.ok(there, `the focus is not on ${selector}`),
  );
}
