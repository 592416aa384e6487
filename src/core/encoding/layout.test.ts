import fc from "fast-check";
import { expect, test } from "vitest";
import { extraBytes, stepKinds } from "./kinds.ts";
import { packRoute, unpackRoute, type WireRoute } from "./layout.ts";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value): `0x${string}` => `0x${Buffer.from(value).toString("hex")}`);

const byte = fc.integer({ min: 0, max: 255 });

const step = fc.constantFrom(...Object.keys(extraBytes).map(Number)).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    flags: byte,
    src: byte,
    dst: byte,
    share: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    target: hex(20),
    extra: hex(extraBytes[kind]!),
  }),
);

const route: fc.Arbitrary<WireRoute> = fc.record({
  tokens: fc.array(hex(20), { minLength: 0, maxLength: 255 }),
  steps: fc.array(step, { maxLength: 20 }),
});

test("what is packed is unpacked", () => {
  fc.assert(
    fc.property(route, (wanted) => {
      expect(unpackRoute(packRoute(wanted))).toEqual(wanted);
    }),
  );
});

test("a route cut anywhere within a step or its table is refused", () => {
  fc.assert(
    fc.property(route, fc.nat(), (whole, cut) => {
      const bytes = packRoute(whole);
      const length = (bytes.length - 2) / 2;
      const kept = cut % length;
      const borders = [1 + whole.tokens.length * 20];
      for (const { kind } of whole.steps) borders.push(borders.at(-1)! + 28 + extraBytes[kind]!);
      const read = () => unpackRoute(bytes.slice(0, 2 + kept * 2) as `0x${string}`);
      if (borders.includes(kept)) expect(read).not.toThrow();
      else expect(read).toThrow();
    }),
  );
});

test("the bytes of a v2 step lie where the router reads them", () => {
  const bytes = packRoute({
    tokens: ["0x1111111111111111111111111111111111111111", "0x2222222222222222222222222222222222222222"],
    steps: [
      {
        kind: stepKinds.v2,
        flags: 0x05,
        src: 0,
        dst: 1,
        share: 0x80000000,
        target: "0x3333333333333333333333333333333333333333",
        extra: "0x000bb8",
      },
    ],
  });
  expect(bytes).toBe(
    [
      "0x02",
      "1111111111111111111111111111111111111111",
      "2222222222222222222222222222222222222222",
      "01",
      "05",
      "00",
      "01",
      "80000000",
      "3333333333333333333333333333333333333333",
      "000bb8",
    ].join(""),
  );
});

test.each([
  ["a share of 2^32", { share: 2 ** 32 }],
  ["a register of 256", { src: 256 }],
  ["a fraction of a share", { share: 0.5 }],
  ["an extra too long", { extra: "0x000bb800" as const }],
  ["an unknown kind", { kind: 200 }],
])("%s is refused", (_, change) => {
  const good = {
    kind: stepKinds.v2,
    flags: 0,
    src: 0,
    dst: 1,
    share: 0,
    target: "0x3333333333333333333333333333333333333333" as const,
    extra: "0x000bb8" as const,
  };
  expect(() => packRoute({ tokens: [], steps: [{ ...good, ...change }] })).toThrow();
});
