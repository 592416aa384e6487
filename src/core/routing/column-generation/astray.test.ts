import { describe, expect, test } from "vitest";
import { ask, expectBalanced, market, token } from "../market.fixture.ts";

/**
 * Pools of a market in which cycles are profitable: two tokens by number and their reserves.
 *
 * @source pairs of Uniswap v2 on Ethereum in October 2020, ccyanxyz/uniswap-arbitrage-analysis src/files/pairs.json at
 * 159313383d829a571fdfcf7b42efd3681681686f (facts of the chain)
 */
type Pools = readonly (readonly [number, number, bigint, bigint])[];

const SIXTEEN: Pools = [
  [6, 8, 29005740682935n, 1651769520723n],
  [8, 7, 7994719767327n, 8010039286683n],
  [2, 0, 84723203681721367605062n, 651973623052478970n],
  [2, 6, 1673600595101777646807n, 261903387171n],
  [9, 0, 351262430017801450044030n, 285671949766823645710n],
  [10, 4, 24098185657663128898110566n, 25957299553136388886581n],
  [9, 10, 43398330351107940596913n, 9701777940938781325153408n],
  [3, 8, 10583419421309783692512n, 57039561101n],
  [3, 7, 51841287740116123573444n, 277729678404n],
  [3, 6, 113120084844589881968507n, 10467583628226n],
  [5, 7, 266023880941520897703591n, 103394662302n],
  [5, 3, 140453468840732539564402n, 10452406241284283640685n],
  [1, 7, 400000000000000000000000n, 2000000000n],
  [4, 0, 20360493045534964710227035n, 72146177634187268261517n],
  [3, 0, 810766680765845313482464n, 9564460178975641672315n],
  [5, 4, 417697689581273488659091n, 878390597797993337477n],
];

const TWENTY_FIVE: Pools = [
  [6, 9, 29005740682935n, 1651769520723n],
  [9, 12, 7994719767327n, 8010039286683n],
  [4, 0, 84723203681721367605062n, 651973623052478970n],
  [4, 6, 1673600595101777646807n, 261903387171n],
  [3, 0, 351262430017801450044030n, 285671949766823645710n],
  [3, 7, 320405903530114991262n, 387071950344n],
  [0, 1, 3788265527085951825n, 455753725n],
  [10, 16, 121717473128935658223n, 4401824671032382816536754n],
  [14, 0, 28733282684970482278737667n, 8420126681254295779n],
  [15, 16, 1657692903644487012646179n, 21682869563827411384026945n],
  [0, 15, 216998679243892647n, 261611620172082478213167n],
  [8, 5, 3495177126959195201737703n, 460024518n],
  [10, 8, 4618727124757944654993n, 5632045903078975911303298n],
  [13, 9, 10583419421309783692512n, 57039561101n],
  [13, 12, 51841287740116123573444n, 277729678404n],
  [9, 2, 12715370017n, 2998091491582039332837n],
  [11, 12, 266023880941520897703591n, 103394662302n],
  [11, 13, 140453468840732539564402n, 10452406241284283640685n],
  [9, 0, 31532525508901n, 88487139830650706404586n],
  [10, 0, 20360493045534964710227035n, 72146177634187268261517n],
  [10, 7, 197936267775122530888n, 469699376976n],
  [10, 14, 22296401826683099090n, 108071937840962440777496n],
  [13, 0, 810766680765845313482464n, 9564460178975641672315n],
  [11, 10, 417697689581273488659091n, 878390597797993337477n],
  [0, 5, 606999602779774063196n, 36721754923n],
];

function marketOf(pools: Pools) {
  return market(pools.map(([a, b, ...reserves]) => ({ tokens: [token(a), token(b)], reserves })));
}

function sold(pools: Pools, [from, to, amount]: readonly [number, number, bigint]) {
  const found = marketOf(pools).engine.find(ask(token(from), token(to), amount, { maxLegs: 16 }));
  if (found.kind === "missing") throw new Error(found.reason);
  expectBalanced(found.route);
  expect(found.route.steps.length).toBeLessThanOrEqual(16);
  expect(found.optimality.upperBound).toBeGreaterThanOrEqual(found.route.amountOut);
  return found.route.amountOut;
}

/** What has to be sold to buy an amount. */
function bought(pools: Pools, [from, to, amount]: readonly [number, number, bigint]) {
  const request = ask(token(from), token(to), amount, { maxLegs: 16, side: "out" });
  const found = marketOf(pools).engine.find(request);
  if (found.kind === "missing") throw new Error(found.reason);
  expectBalanced(found.route);
  expect(found.route.amountOut).toBeGreaterThanOrEqual(amount);
  return found.route.amountIn;
}

/** The amounts expected are paid if equal flows of the order are sent one by one, as the bench's strategy does. */
describe("where cycles are profitable", () => {
  test("an order that is split over long detours pays more than equal flows sent one by one", () => {
    expect(sold(SIXTEEN, [0, 1, 60540069179729518592n])).toBeGreaterThan(392422798546388324848120n);
  });

  test("token prices that contradict each other keep no leg from paying", () => {
    expect(sold(TWENTY_FIVE, [1, 2, 136726117n])).toBeGreaterThan(2300000000000000000000n);
  });

  test.each([
    ["sixteen", SIXTEEN, [0, 1, 60540069179729518592n]],
    ["twenty-five", TWENTY_FIVE, [1, 2, 136726117n]],
  ] as const)("buying what a sale over %s pools pays costs no more", (_, pools, [from, to, amount]) => {
    const paid = sold(pools, [from, to, amount]);
    expect(Number(bought(pools, [from, to, paid])) / Number(amount)).toBeLessThan(1.001);
    expect(bought(pools, [from, to, (paid * 9n) / 10n])).toBeLessThan(amount);
  });
});
