import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { profileOf } from "../../test/chain/node/profiles.ts";
import { ARCHIVE, type Bench, begin, end, type Row, type Running, seconds } from "./rows.ts";

/** A fifth more than the requests of a whole backfill by logs; here hubs, pools read into the market and following count too. */
const MOST_ITEMS = 1_920;

/** Where logs are refused or come in pages of 10 blocks, pairs are counted out by their factories. */
export async function countedOut(bench: Bench): Promise<Row[]> {
  const tiny = { ...ARCHIVE.logs, maxBlocks: 10, tooWide: profileOf("alchemy-free").logs.tooWide };
  const off = { ...ARCHIVE.logs, off: profileOf("bsc-dataseed").logs.off! };
  const rows: Row[] = [];
  for (const [name, logs] of [
    ["pages of 10 blocks", tiny],
    ["getLogs refused", off],
  ] as const) {
    const running = await begin(bench, { ...ARCHIVE, logs });
    rows.push(await pairsRow(bench, `all v2 pairs, ${name}`, running));
    await end(running);
  }
  return rows;
}

/** To the end of the list, or of the patience: the row is met by the whole list alone, whatever a part of it promises. */
async function pairsRow(bench: Bench, name: string, { lab, firstMs }: Running): Promise<Row> {
  const { universe, history } = bench.chain;
  const pairs = [...Array(universe.count).keys()].filter(
    (pool) => universe.rangeOf(pool).kind === "v2" && history.createdIn(pool) !== undefined,
  );
  const left = () => pairs.filter((pool) => lab.announced[pool] === 0).length;
  const start = performance.now();
  let before = lab.counts().items;
  let missing = left();
  while (firstMs !== undefined && missing > 0 && performance.now() - start < 10 * bench.patienceS * 1000) {
    if (missing === pairs.length) before = lab.counts().items;
    await wait(250);
    missing = left();
  }
  const { items } = lab.counts();
  const read = pairs.length - missing;
  const each = (1000 * (items - before)) / Math.max(1, read);
  const promised = Math.round(items + (each * missing) / 1000);
  const part = missing === 0 ? "" : `, ${promised} for all of them at this`;
  return {
    name,
    bar: `≤ ${MOST_ITEMS.toLocaleString("en")} items`,
    measured: `${items} items, ${read} of ${pairs.length} pairs in ${seconds(performance.now() - start)}, ${each.toFixed(2)} items a thousand${part}`,
    ok: missing === 0 && items <= MOST_ITEMS,
  };
}
