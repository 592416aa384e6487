import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededMarket } from "../routing/market/seeded.ts";

/** A small market by a seed, and orders on it, in files of a temporary folder. */
export function seededFiles(): { readonly market: string; readonly orders: string } {
  const { file, orders } = seededMarket(1, { tokens: 500, pools: 2_000, orders: 200 });
  const folder = mkdtempSync(join(tmpdir(), "braid-http-"));
  const [market, list] = [join(folder, "market.json"), join(folder, "orders.json")];
  writeFileSync(market, JSON.stringify(file));
  writeFileSync(list, JSON.stringify(orders));
  return { market, orders: list };
}
