import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { QuoteRecord } from "../../service/ports/ports-quotes.ts";
import { openQuoteFile } from "./quote-file.ts";
import { createQuotes } from "./quotes.ts";

let folder: string;
let warnings: unknown[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-quotes-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = { warn: (...given: unknown[]) => void warnings.push(given) };
const NOTHING = { view: { get: () => undefined }, ids: [] };
const LIMITS = { total: 64 * 1024, perCaller: 16 * 1024 };

const opened = () => createQuotes(LIMITS, openQuoteFile(folder, log));

/** A record of about 1 KB. Its content does not matter for how it is kept. */
const recordOf = (n: number) => ({ madeAt: n, filling: "x".repeat(700) }) as unknown as QuoteRecord;

describe("records of offers in a file", () => {
  test("are found after a restart, with the key that they belong to", () => {
    const first = opened();
    const mine = first.keep(recordOf(1), { caller: "key", owner: "key" }, NOTHING);
    const anyone = first.keep(recordOf(2), { caller: "192.0.2.1", owner: undefined }, NOTHING);
    first.close();
    const second = opened();
    expect(second.find(mine)).toMatchObject({ owner: "key", record: { madeAt: 1 } });
    expect(second.find(anyone)).toMatchObject({ owner: null, record: { madeAt: 2 } });
    second.close();
  });

  test("are found after the process was killed, once they are half a second old", async () => {
    const first = opened();
    const ids = Array.from({ length: 100 }, (_, n) =>
      first.keep(recordOf(n), { caller: `${n}`, owner: undefined }, NOTHING),
    );
    first.find("");
    const left = () => openQuoteFile(folder, log);
    await expect
      .poll(() => {
        const file = left();
        file.close();
        return file.earlier.length;
      })
      .toBeGreaterThan(40);
    const { earlier, close } = left();
    expect(new Set(ids)).toEqual(new Set([...ids, ...earlier.map(({ id }) => id)]));
    close();
    first.close();
  });

  test("keep to the limits over many restarts, drop a caller's own records first, and name no caller", () => {
    for (let run = 0; run < 5; run++) {
      const quotes = opened();
      for (let n = 0; n < 200; n++)
        quotes.keep(
          recordOf(n),
          { caller: n % 4 === 0 ? "198.51.100.7" : `${run} ${n}`, owner: undefined },
          NOTHING,
        );
      quotes.close();
    }
    const quotes = opened();
    expect(quotes.size()).toBeLessThanOrEqual(LIMITS.total);
    expect(quotes.size()).toBeGreaterThan(LIMITS.total / 2);
    quotes.close();
    const file = openQuoteFile(folder, log);
    const perAsker = Map.groupBy(file.earlier, ({ asker }) => asker);
    for (const of of perAsker.values())
      expect(of.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(LIMITS.perCaller);
    expect(file.earlier.length).toBeLessThan(100);
    file.close();
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(text.join("")).not.toContain("198.51.100.7");
    expect(warnings).toEqual([]);
  });

  test("that cannot be written are warned of once until one is written again", async () => {
    const file = openQuoteFile(folder, log);
    const put = (id: string) => file.put({ id, asker: 1, body: Buffer.from("{}") });
    const other = new DatabaseSync(join(folder, "quotes.sqlite"));
    other.exec("BEGIN IMMEDIATE");
    put("first");
    await expect.poll(() => warnings.length).toBe(1);
    put("second");
    file.close();
    expect(warnings).toHaveLength(1);
    other.close();
  });

  test("that cannot be read are deleted, and new ones are kept", () => {
    writeFileSync(
      join(folder, "quotes.sqlite"),
      "no database at all, but long enough to be one ".repeat(100),
    );
    const quotes = opened();
    expect(warnings).toHaveLength(1);
    const id = quotes.keep(recordOf(1), { caller: "a", owner: undefined }, NOTHING);
    quotes.close();
    const next = opened();
    expect(next.find(id)).toBeDefined();
    expect(warnings).toHaveLength(1);
    next.close();
  });
});

describe("a record that is large", () => {
  const filled = (length: number) => Array.from({ length }, (_, k) => ({ pool: `${k}`.padStart(900, "p") }));
  const request = { sources: { list: "include", names: ["n".repeat(9_000)] } };
  const states = Array.from({ length: 400 }, (_, k) => `${k}`.padStart(130, "s"));
  const view = { get: (id: string) => ({ id }) };

  test.each([
    ["many pools", { pools: filled(5_000) }, []],
    ["many candidates", { candidates: filled(500), pools: filled(10) }, []],
    ["many steps", { steps: filled(400) }, []],
    ["many states beside them", { steps: filled(400) }, states],
  ])("with %s takes 64 KB at most, and says that it was cut", (_what, parts, ids) => {
    const quotes = createQuotes();
    const whole = { madeAt: 7, request, pools: [], candidates: [], steps: [], ...parts };
    const id = quotes.keep(whole as unknown as QuoteRecord, { caller: "c", owner: undefined }, { view, ids });
    const kept = quotes.find(id)!;
    expect(quotes.size()).toBeLessThanOrEqual(64 * 1024 + 512);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(64 * 1024);
    expect(kept).toMatchObject({ isCut: true, record: { madeAt: 7 } });
    quotes.close();
  });
});
