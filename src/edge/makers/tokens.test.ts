import { expect, test } from "vitest";
import { type Address, NATIVE } from "../../core/types.ts";
import type { ListedToken, TokenPort } from "../../service/ports/ports.ts";
import type { MakersPort } from "../../service/ports/ports-makers.ts";
import { withMakers } from "./tokens.ts";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const tokens = [1, 2].flatMap((chainId) =>
  [7, 8].map((n) => ({ chainId, address: address(n), isRfq: false }) as ListedToken),
);
const port: TokenPort = {
  get: (chainId, of) => tokens.find((one) => one.chainId === chainId && one.address === of),
  all: (chainId) => tokens.filter((one) => one.chainId === chainId),
};

/** A chain whose native coin is wrapped as token 8. */
const chain = (id: number, makers?: MakersPort) => ({ chain: { id, wrappedNative: address(8) }, makers });

test("a token is marked while a maker of its chain prices it, and no longer", () => {
  const priced = new Set<Address>();
  const makers = { prices: (token: Address) => priced.has(token) } as unknown as MakersPort;
  const marked = withMakers(port, [chain(1, makers), chain(2)]);
  const rfq = (chainId: number) => marked.all(chainId).map(({ isRfq }) => isRfq);
  expect([rfq(1), marked.get(1, address(7))?.isRfq]).toEqual([[false, false], false]);
  priced.add(address(7));
  expect([rfq(1), marked.get(1, address(7))?.isRfq]).toEqual([[true, false], true]);
  expect([rfq(2), marked.get(2, address(7))?.isRfq]).toEqual([[false, false], false]);
  priced.clear();
  expect(rfq(1)).toEqual([false, false]);
  expect(withMakers(port, [chain(1)])).toBe(port);
});

test("a list is the same one until a token of it is priced, or no longer", () => {
  const list = tokens.slice(0, 2);
  const priced = new Set<Address>();
  const makers = { prices: (token: Address) => priced.has(token) } as unknown as MakersPort;
  const marked = withMakers({ ...port, all: () => list }, [chain(1, makers)]);
  const before = marked.all(1);
  priced.add(address(9));
  expect(marked.all(1)).toBe(before);
  priced.add(address(8));
  const after = marked.all(1);
  expect([after === before, marked.all(1) === after]).toEqual([false, true]);
  priced.delete(address(8));
  expect(marked.all(1).map(({ isRfq }) => isRfq)).toEqual([false, false]);
});

test("the native coin is marked while a maker prices its wrapped token", () => {
  const native = { chainId: 1, address: NATIVE, isRfq: false } as ListedToken;
  const priced = new Set<Address>([address(7)]);
  const makers = { prices: (token: Address) => priced.has(token) } as unknown as MakersPort;
  const marked = withMakers({ get: () => native, all: () => [native] }, [chain(1, makers)]);
  const rfq = () => [marked.all(1)[0]?.isRfq, marked.get(1, NATIVE)?.isRfq];
  expect(rfq()).toEqual([false, false]);
  priced.add(address(8));
  expect(rfq()).toEqual([true, true]);
});
