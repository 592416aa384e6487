import fc from "fast-check";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { BraidError, type Detail } from "../../core/errors.ts";
import { type FormatName, fault, formats } from "./formats.ts";
import { Names, Text } from "./schemas.ts";
import { checker, MOST_VALUES, type Parts, parametersIn, type Rule, textsOf } from "./validation.ts";

function run(
  parts: Parts,
  request: { params?: unknown; query?: unknown; body?: unknown },
  rules: Rule[] = [],
) {
  const incoming = { params: undefined, query: undefined, body: undefined, ...request };
  try {
    checker(parts, rules)(incoming);
    return incoming;
  } catch (error) {
    if (error instanceof BraidError) return error;
    throw error;
  }
}

const query = (properties: Parameters<typeof Type.Object>[0]): Parts => ({
  querystring: Type.Object(properties),
});
const description = "";

describe("texts of a query", () => {
  const list = Type.Optional(Names("", { maxItems: 6, maxLength: 9 }));
  const parts = query({ amount: Text("amount", { description }), list });

  test("unknown parameters are dropped, even those that look like an object's inside", () => {
    const given = JSON.parse('{"amount":"1","chainID":"5","__proto__":"x","constructor":"y"}');
    const { query: known } = run(parts, { query: given }) as { query: object };
    expect(known).toEqual({ amount: "1" });
    expect(Object.getPrototypeOf(known)).toBe(Object.prototype);
  });

  test("an empty text is no text", () => {
    const error = run(parts, { query: { amount: "" } }) as BraidError;
    expect(error.details).toEqual([{ field: "amount", reason: "is missing" }]);
  });

  test("lists come together from repeats, commas and brackets", () => {
    const list = (given: object) =>
      (run(parts, { query: { amount: "1", ...given } }) as { query: { list?: string[] } }).query.list;
    expect(list({ list: ["a", "b,c"], "list[]": " d ,, e" })).toEqual(["a", "b", "c", "d", "e"]);
    expect(list({ list: "," })).toBeUndefined();
  });

  test.each([
    [{ list: "a,b,c,d,e,f,g" }, "must have at most 6 values"],
    [{ list: ["a,b", "c", "d,e"], "list[]": "f,g" }, "must have at most 6 values"],
    [{ list: ",,,,,,a" }, "must have at most 6 values"],
    [{ list: "a,123456789,1234567890" }, "must have values of at most 9 characters"],
  ])("a list is refused beyond its limits: %j", (given, reason) => {
    const error = run(parts, { query: { amount: "1", ...given } }) as BraidError;
    expect(error.details).toMatchObject([{ field: "list", reason }]);
  });

  test("a long value is named back in short", () => {
    const error = run(parts, { query: { amount: "x".repeat(5000) } }) as BraidError;
    expect(String(error.details[0]!.value).length).toBeLessThan(120);
    expect(error.message.length).toBeLessThan(300);
  });

  test("rules are asked whatever else is wrong", () => {
    const rule: Rule = () => [{ field: "other", reason: "is odd" }];
    const error = run(parts, { query: {} }, [rule]) as BraidError;
    expect(error.details.map(({ field }) => field)).toEqual(["amount", "other"]);
  });
});

describe("bodies", () => {
  const parts: Parts = {
    body: Type.Object({ filter: Type.Optional(Type.Object({ n: Type.Optional(Type.Integer()) })) }),
  };

  test("nulls are absent, on every level that has fields", () => {
    expect(run(parts, { body: { filter: { n: null } } })).toMatchObject({ body: { filter: {} } });
    expect(run(parts, { body: { filter: null } })).toMatchObject({ body: {} });
    expect(run(parts, { body: null })).toMatchObject({ body: {} });
  });

  test("a body never reaches a prototype", () => {
    const body = JSON.parse('{"filter":{"__proto__":{"n":1}}}');
    expect((run(parts, { body }) as BraidError).details).toEqual([
      { field: "__proto__", reason: "is no field of any body" },
    ]);
    expect(({} as Record<string, unknown>).n).toBeUndefined();
  });

  test("a list that is too long is one fault, and its values are not looked at", () => {
    const n = Array.from({ length: MOST_VALUES + 1 }, () => "no number");
    const reason = `must have at most ${MOST_VALUES} values`;
    expect((run(parts, { body: { filter: { n } } }) as BraidError).details).toEqual([
      { field: "filter.n", reason },
    ]);
    expect((run(parts, { body: n }) as BraidError).details).toEqual([{ field: "body", reason }]);
  });

  test("every field with a fault is named, and of a list its first bad value", () => {
    const texts = Type.Array(Type.String());
    const filter = Type.Object({ names: texts, ids: Type.Array(Type.Integer()), symbols: texts });
    const body = Type.Object({ filter, page: Type.Integer() });
    const names = ["a", ...Array<number>(100).fill(1)];
    const given = { filter: { names, ids: ["x", ...Array<null>(9).fill(null)], symbols: ["b"] }, page: "y" };
    expect((run({ body }, { body: given }) as BraidError).details).toEqual([
      { field: "filter.names.1", reason: "must be string", value: 1 },
      { field: "filter.ids.0", reason: "must be integer", value: "x" },
      { field: "page", reason: "must be integer", value: "y" },
    ]);
  });

  test("any JSON is either accepted or refused in words", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const result = run(parts, { body });
        if (result instanceof BraidError) expect(result.details.length).toBeGreaterThan(0);
      }),
    );
  });

  test("a body that is nested deeper than it can be written back is refused in words", () => {
    const body = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    expect((run(parts, { body }) as BraidError).details).toMatchObject([{ field: "body" }]);
  });

  test.each([[{ a: "Curve" }], [[["Curve"]]], [["Curve", 5]], [[null]]])(
    "a list of names is not %j",
    (list) => {
      const details: Detail[] = [];
      const schema = Type.Object({ list: Type.Optional(Names("", { maxItems: 5 })) });
      textsOf(schema, { list }, (detail) => details.push(detail));
      expect(details).toMatchObject([{ field: "list", reason: "must be a text or a list of texts" }]);
    },
  );
});

test("of an object in a body the parameters are read, and nothing else", () => {
  const schema = Type.Object({
    amount: Text("amount", { description }),
    side: Text("side", { description }),
  });
  const body = { amount: 5, side: null, "amount[]": ["6"] };
  Object.defineProperty(body, "unknown", {
    enumerable: true,
    get: () => expect.fail("an unknown field was read"),
  });
  expect(parametersIn(schema, body)).toEqual({ amount: 5, "amount[]": ["6"] });
});

describe("formats", () => {
  const accepted: [FormatName, string[]][] = [
    ["amount", ["1", "007", (2n ** 256n - 1n).toString()]],
    ["allowance", ["0", "1"]],
    ["wei", ["1", "1000000000"]],
    [
      "address",
      ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", `0X${"aB".repeat(20)}`, `0x${"0".repeat(40)}`],
    ],
    ["slippage", ["1", "500", "2.5", "11.000000000000002", "1.0", "010"]],
    ["permille", ["0", "500", "007"]],
    ["flag", ["true", "FALSE", "True"]],
    ["chain-id", ["0", "1", "31337"]],
    ["deadline", ["0", "1099511627775"]],
  ];
  const refused: [FormatName, string[]][] = [
    ["amount", ["0", "000", "1.0", "1e3", "0x1", "-1", "+1", " 1", "1\n", (2n ** 256n).toString(), "١"]],
    ["wei", ["0", "1.5", "1 gwei"]],
    ["address", ["0x1", `0x${"g".repeat(40)}`, "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"]],
    ["account", [`0x${"0".repeat(40)}`, `0x${"e".repeat(40)}`, `0X${"E".repeat(40)}`]],
    ["slippage", ["0.999", "500.001", "1e2", ".5", "5.", "-1", "Infinity"]],
    ["permille", ["501", "1.5", "-0"]],
    ["flag", ["1", "yes", "truee"]],
    ["chain-id", ["abc", "1.5", "-1", "0x1"]],
    ["deadline", ["1099511627776", "1.5"]],
  ];

  test.each(accepted)("%s accepts %j", (name, texts) => {
    for (const text of texts) expect([text, fault(name, text)]).toEqual([text, undefined]);
  });

  test.each(refused)("%s refuses %j", (name, texts) => {
    for (const text of texts) expect([text, fault(name, text)]).toEqual([text, formats[name].must]);
  });

  test("no text makes a format throw", () => {
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(formats) as FormatName[])), fc.string(), (name, text) => {
        expect([undefined, formats[name].must]).toContain(fault(name, text));
      }),
    );
  });
});
