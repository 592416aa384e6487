import { expect, test } from "vitest";
import { smallMarket } from "../small-market.fixture.ts";
import { buyAll, type Purchase, purchaseFaults, purchaseTable } from "./purchases.ts";

const made = smallMarket(5);
const options = { gasGwei: 0, maxLegs: 16, budgetMs: 1e9 };
const sales = made.orders.map((order) => made.ask(order, options));

test("buying what a sale pays costs what it sold", () => {
  const purchases = buyAll(made.engine, made.market, { sales, options });
  expect(purchases.length).toBeGreaterThan(20);
  expect(purchaseFaults(purchases, options)).toEqual([]);
  expect(purchaseTable(purchases).split("\n")[2]).toMatch(/^\| [0-9]+ +\| +0 \| +0 \| +0 \|/);
});

test("a purchase that is refused or costs more is named, the latter if gas is free", () => {
  const [routed] = sales.filter(({ amountOut }) => amountOut !== undefined);
  const [leg] = routed!.route!;
  const sale = { ...routed!, route: [{ ...leg!, amountOut: "1000000000000" }] };
  const of = (excessBp: number | undefined): Purchase => ({ sale, excessBp, isComplete: true, ms: 1 });
  const purchases = [of(0.09), of(0.11), of(undefined)];
  const [dear, refused] = purchaseFaults(purchases, options);
  expect(dear).toContain("costs 0.110 bp more");
  expect(refused).toContain(`${sale.amountOut} of ${sale.tokenOut}`);
  expect(purchaseFaults(purchases, { ...options, gasGwei: 5 })).toHaveLength(1);
  const coarse = { ...of(9), sale: { ...sale, route: [...sale.route, { ...leg!, amountOut: "1000" }] } };
  expect(purchaseFaults([coarse], options)).toEqual([]);
  expect(purchaseFaults([{ ...coarse, excessBp: 11 }], options)).toHaveLength(1);
});
