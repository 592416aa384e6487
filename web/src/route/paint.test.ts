import { expect, test } from "vitest";
import { paintOf } from "./paint.ts";

const routes = (...names: string[]) =>
  names.map((protocol_name) => ({ type: "dex", protocol_name, percent: 1 }));

const TWELVE = Array.from({ length: 12 }, (_, k) => `Dex_${k}`);

test("up to twelve sources of one picture have colours of their own", () => {
  const paint = paintOf(routes(...TWELVE));
  expect(new Set(TWELVE.map((name) => paint(name.replace("_", " ")))).size).toBe(12);
});

test("a colour depends on the picture alone: neither the order of the sources nor earlier pictures change it", () => {
  const alone = paintOf(routes("Curve", "Uniswap_V3"))("Curve");
  paintOf(routes(...TWELVE));
  expect(paintOf(routes("Uniswap_V3", "Curve"))("Curve")).toBe(alone);
});
