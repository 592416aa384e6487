import type { Hex } from "viem";
import { decodeFunctionData, encodeFunctionData } from "viem/utils";
import {
  type Asked,
  BraidError,
  checkQuote,
  type Limits,
  type QuoteAnswer,
} from "../../packages/sdk/src/index.ts";
import { decodeSwap } from "../../src/core/encoding/index.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { packRoute, unpackRoute, type WireRoute, type WireStep } from "../../src/core/encoding/layout.ts";
import { swapAbi } from "../../src/core/encoding/swap.ts";
import type { Genuine } from "./genuine.ts";

/**
 * Quotes as a hostile or wrong service would give them. Each mutation changes one thing that a signer relies on, through
 * Braid's own encoder or byte by byte, and never through the SDK.
 */

type Random = () => number;
/** A quote as JSON that can be written. */
// biome-ignore lint/suspicious/noExplicitAny: a hostile answer has any form
type Loose = any;
type Mutation = (quote: Loose, random: Random, asked: Asked) => Limits | undefined | "unfit";

const below = (random: Random, most: number) => Math.floor(random() * most);
const pick = <T>(random: Random, of: readonly T[]): T => of[below(random, of.length)]!;
const address = (random: Random): Hex =>
  `0x${Array.from({ length: 40 }, () => below(random, 16).toString(16)).join("")}`;
/** Another number: a little or a lot away. */
const off = (random: Random, from: bigint): bigint => {
  const by = pick(random, [1n, 2n, 1_000n, 10n ** 18n, from, 3n * from]);
  return random() < 0.5 || by > from ? from + (by || 1n) : from - (by || 1n);
};

type Terms = [bigint, bigint, Hex, bigint, Hex];
function recoded(quote: Loose, change: (terms: Terms) => Terms): void {
  const { args } = decodeFunctionData({ abi: swapAbi, data: quote.calldata });
  quote.calldata = encodeFunctionData({ abi: swapAbi, args: change([...args] as Terms) });
}
function rerouted(quote: Loose, change: (route: WireRoute) => WireRoute): void {
  recoded(quote, ([amount, minimum, recipient, terms, route]) => {
    const next = packRoute(change(unpackRoute(route.toLowerCase() as Hex)));
    return [amount, minimum, recipient, terms, next];
  });
}
const term = (index: 0 | 1 | 2 | 3, change: (old: never, random: Random) => unknown): Mutation => {
  return (quote, random) => {
    recoded(quote, (terms) => {
      const next = [...terms];
      next[index] = change(terms[index] as never, random) as never;
      return next as Terms;
    });
    return undefined;
  };
};
/** A part of the packed terms: deadline, sell fee, buy fee, fee recipient. */
const packed = (shift: bigint, bits: bigint) =>
  term(3, (terms: bigint, random) => {
    const mask = ((1n << bits) - 1n) << shift;
    const old = (terms & mask) >> shift;
    const flipped = old ^ (1n << BigInt(below(random, Number(bits))));
    return (terms & ~mask) | (flipped << shift);
  });
const token = (place: "first" | "last"): Mutation => {
  return (quote, random) => {
    rerouted(quote, ({ tokens, steps }) => {
      const index = place === "first" ? 0 : tokens.length - 1;
      return { tokens: tokens.map((each, at) => (at === index ? address(random) : each)), steps };
    });
    return undefined;
  };
};
const json = (name: string, change: (old: never, random: Random) => unknown): Mutation => {
  return (quote, random) => {
    if (quote[name] === undefined) return "unfit";
    quote[name] = change(quote[name] as never, random);
    return undefined;
  };
};

const signatureStep = (random: Random, kind: number): WireStep => ({
  kind,
  flags: below(random, 2),
  src: 0,
  dst: 1,
  share: 0,
  target: `0x${"0".repeat(40)}`,
  extra: `0x${Array.from({ length: 204 }, () => below(random, 16).toString(16)).join("")}`,
});
const isSignature = ({ kind }: WireStep) => kind === stepKinds.permit || kind === stepKinds.permit2;

const addSignature: Mutation = (quote, random) => {
  const kind = pick(random, [stepKinds.permit, stepKinds.permit2]);
  rerouted(quote, ({ tokens, steps }) => {
    const at = below(random, steps.length + 1);
    return { tokens, steps: [...steps.slice(0, at), signatureStep(random, kind), ...steps.slice(at)] };
  });
  return undefined;
};
const otherSignature: Mutation = (quote, random, asked) => {
  if (asked.permit_kind === undefined) return "unfit";
  rerouted(quote, ({ tokens, steps }) => ({
    tokens,
    steps: steps.flatMap((step) =>
      isSignature(step) ? (random() < 0.3 ? [] : [signatureStep(random, step.kind)]) : [step],
    ),
  }));
  return undefined;
};
const lateSignature: Mutation = (quote, _random, asked) => {
  if (asked.permit_kind === undefined) return "unfit";
  rerouted(quote, ({ tokens, steps: [first, ...rest] }) => ({ tokens, steps: [...rest, first!] }));
  return undefined;
};

/** A minimum that both the answer and the calldata agree on. */
const lowerMinimum: Mutation = (quote, random) => {
  if (quote.min_amount_out < 2n) return "unfit";
  quote.min_amount_out -= 1n + BigInt(below(random, Number(quote.min_amount_out > 10n ** 9n ? 10 ** 9 : 1)));
  recoded(quote, ([amount, , ...rest]) => [amount, quote.min_amount_out, ...rest]);
  return undefined;
};
/** A bad price in good order: only the caller's own limit can tell. */
const badPrice: Mutation = (quote, random, asked) => {
  const minOut = quote.min_amount_out;
  const total = (quote.amount_out_total * BigInt(1 + below(random, 900))) / 1000n;
  const ppm = BigInt(Math.round(asked.slippage * 1000));
  const least = (total * (1_000_000n - ppm)) / 1_000_000n;
  if (least < 1n || least >= minOut) return "unfit";
  Object.assign(quote, { amount_out_total: total, min_amount_out: least });
  recoded(quote, ([amount, , ...rest]) => [amount, least, ...rest]);
  return { minOut };
};
/** More is sold than was asked for, in good order. */
const sellMore: Mutation = (quote, random, asked) => {
  const maxIn = quote.amount_in;
  quote.amount_in += 1n + BigInt(below(random, 10 ** 9));
  if (quote.value > 0n) quote.value = quote.amount_in;
  if (quote.approve_amount > 0n) quote.approve_amount = quote.amount_in;
  recoded(quote, ([, ...rest]) => [quote.amount_in, ...rest]);
  return asked.side === "BUY" ? { maxIn } : undefined;
};
const buyLess: Mutation = (quote, random, asked) => {
  if (asked.side !== "BUY") return "unfit";
  quote.amount_out_total = asked.amount - 1n - BigInt(below(random, 10 ** 6));
  const ppm = BigInt(Math.round(asked.slippage * 1000));
  quote.min_amount_out = (quote.amount_out_total * (1_000_000n - ppm)) / 1_000_000n;
  recoded(quote, ([amount, , ...rest]) => [amount, quote.min_amount_out, ...rest]);
  return undefined;
};

/** Calldata that says the same to some decoders and something else to others. */
const malformed: Mutation = (quote, random) => {
  const data: string = quote.calldata;
  const at = (index: number, text: string) => data.slice(0, index) + text + data.slice(index + text.length);
  const wordAt = (index: number) => 10 + index * 64;
  quote.calldata = pick(random, [
    () => `${data}${"0".repeat(2 * (1 + below(random, 64)))}`,
    () => data.slice(0, -2 * (1 + below(random, 64))),
    () => at(wordAt(4) + 60, "00c0"),
    () => at(wordAt(2) + below(random, 24), "1"),
    () => at(2, "deadbeef"),
    () => `0x${"f".repeat(data.length - 2)}`,
    () => "0x",
    () => pick(random, [undefined, null, 5, {}, ["0x"]]),
  ])();
  return undefined;
};

const BOUND_FIELDS = [
  ...["to", "value", "calldata", "amount_in", "min_amount_out", "amount_out_total", "token_in", "token_out"],
  ...["side", "valid_until", "approve_amount"],
];
const missing: Mutation = (quote, random) => {
  const name = pick(random, BOUND_FIELDS);
  if (random() < 0.5) delete quote[name];
  else quote[name] = pick(random, [null, "", {}, [], Number.NaN, true, "0x", -1n]);
  return undefined;
};

const offered = (change: (typed: Loose, random: Random, permit: Loose) => void): Mutation => {
  return (quote, random) => {
    const kinds = Object.keys(quote.permit ?? {});
    if (kinds.length === 0) return "unfit";
    const permit = quote.permit[pick(random, kinds)];
    change(permit.typed_data, random, permit);
    return undefined;
  };
};
const messageOf = (typed: Loose, random: Random) =>
  typed.message.permitted !== undefined && random() < 0.5 ? typed.message.permitted : typed.message;
function otherValue(old: unknown, random: Random): unknown {
  if (typeof old === "boolean") return !old;
  if (typeof old === "object") return {};
  return String(old).startsWith("0x") ? address(random) : String(off(random, BigInt(String(old))));
}
const typedData = [
  offered((typed, random) => {
    const message = messageOf(typed, random);
    const name = pick(random, Object.keys(message));
    message[name] = otherValue(message[name], random);
  }),
  offered((typed, random) => {
    const name = pick(random, ["chainId", "verifyingContract", "salt"]);
    typed.domain[name] = name === "chainId" ? 2 + below(random, 99) : address(random);
  }),
  offered((typed, random) => {
    const fields = typed.types[pick(random, Object.keys(typed.types))];
    fields[below(random, fields.length)] = { name: "x", type: "uint256" };
  }),
  offered((typed) => {
    typed.types.Extra = [{ name: "x", type: "uint256" }];
  }),
  offered((typed) => {
    typed.primaryType = typed.primaryType === "Permit" ? "Order" : "Permit";
  }),
  offered((typed) => {
    typed.message.extra = "1";
  }),
  offered((_typed, random, permit) => {
    permit.permit_deadline += 1 + below(random, 10 ** 6);
  }),
  offered((_typed, random, permit) => {
    permit.approve = address(random);
  }),
  offered((_typed, _random, permit) => {
    permit.typed_data = null;
  }),
];
const strangePermit: Mutation = (quote) => {
  quote.permit = { ...quote.permit, blank: { typed_data: {}, permit_nonce: 1n, permit_deadline: 1 } };
  return undefined;
};

/** What newer services say beside the calldata. */
const beside: Mutation = (quote, random, asked) => {
  const swap = { to: quote.to, data: quote.calldata, value: String(quote.value) };
  const word = (text: string) => text.replace("0x", "").padStart(64, "0");
  const approve = (spender: string) => `0x095ea7b3${word(spender)}${word(quote.amount_in.toString(16))}`;
  const said = pick(random, [
    { calls: [{ to: asked.fromTokenAddress, data: approve(address(random)), value: "0" }, swap] },
    { calls: [{ to: address(random), data: approve(quote.to), value: "0" }, swap] },
    { calls: [{ ...swap, value: String(off(random, quote.value)) }] },
    { calls: [{ ...swap, to: address(random) }] },
    { calls: [swap, { to: address(random), data: "0x", value: "1" }] },
    { calls: [swap, swap] },
    { calls: [null, swap] },
    { calls: [swap, { to: asked.fromTokenAddress, data: approve(quote.to), value: "0" }] },
    { issues: { allowance: { spender: address(random), needed: "1", actual: "0" } } },
  ]);
  Object.assign(quote, said);
  return undefined;
};

/** One to four bits of the calldata, anywhere; a change of the route alone is the service's business. */
const flipped: Mutation = (quote, random) => {
  const old: Hex = quote.calldata;
  const digits = [...old.slice(2)];
  for (let count = 1 + below(random, 4); count > 0; count--) {
    // Most bytes are of the route; the terms before it are met as often.
    const at = below(random, random() < 0.5 ? Math.min(digits.length, 500) : digits.length);
    digits[at] = (Number.parseInt(digits[at]!, 16) ^ (1 << below(random, 4))).toString(16);
  }
  quote.calldata = `0x${digits.join("")}`;
  return bound(quote.calldata) === bound(old) ? "unfit" : undefined;
};

/** What a signer relies on in calldata, read by Braid's own decoder; a text of its own for data that it cannot read. */
function bound(data: Hex): string {
  try {
    const { route, ...terms } = decodeSwap(data);
    const { tokens, steps } = route;
    const signatures = steps.filter(isSignature);
    const facts = [terms, tokens[0], tokens.at(-1), signatures, steps.findIndex(isSignature)];
    return JSON.stringify(facts, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  } catch {
    return `unreadable ${data}`;
  }
}

const mutations: Readonly<Record<string, Mutation>> = {
  to: json("to", (_old, random) => address(random)),
  value: json("value", (old: bigint, random) => off(random, old)),
  token_in: json("token_in", (_old, random) => address(random)),
  token_out: json("token_out", (_old, random) => address(random)),
  amount_in: json("amount_in", (old: bigint, random) => off(random, old)),
  min_amount_out: json("min_amount_out", (old: bigint, random) => off(random, old)),
  side: json("side", (old: string) => (old === "BUY" ? "SELL" : "BUY")),
  valid_until: json("valid_until", (old: number, random) => old + 1 + below(random, 10 ** 6)),
  approve_amount: json("approve_amount", (old: bigint, random) => off(random, old)),
  "calldata: amount": term(0, (old: bigint, random) => off(random, old)),
  "calldata: minimum": term(1, (old: bigint, random) => off(random, old)),
  "calldata: recipient": term(2, (_old, random) => address(random)),
  "calldata: deadline": packed(192n, 64n),
  "calldata: sell fee": packed(176n, 16n),
  "calldata: buy fee": packed(160n, 16n),
  "calldata: fee recipient": packed(0n, 160n),
  "calldata: token sold": token("first"),
  "calldata: token bought": token("last"),
  "calldata: added signature": addSignature,
  "calldata: other signature": otherSignature,
  "calldata: late signature": lateSignature,
  "calldata: malformed": malformed,
  "calldata: flipped bits": flipped,
  "lower minimum": lowerMinimum,
  "bad price under a limit": badPrice,
  "more is sold": sellMore,
  "less is bought": buyLess,
  "missing or of another type": missing,
  ...Object.fromEntries(typedData.map((each, index) => [`typed data ${index}`, each])),
  "unknown permit": strangePermit,
  "calls and issues": beside,
};
export const mutationNames: readonly string[] = Object.keys(mutations);

export type Verdict = {
  readonly name: string;
  readonly accepted: boolean;
  readonly fault: string | undefined;
};

/** Mutates a genuine quote and checks it; undefined where the mutation does not fit that quote. */
export function judge(genuine: readonly Genuine[], name: string, random: Random): Verdict | undefined {
  const { asked, quote } = pick(random, genuine);
  const mutated = structuredClone(quote) as Loose;
  const limits = mutations[name]!(mutated, random, asked);
  if (limits === "unfit") return undefined;
  try {
    checkQuote(asked, mutated as QuoteAnswer, limits);
    return { name, accepted: true, fault: JSON.stringify(mutated.calldata) };
  } catch (error) {
    const isRefusal = error instanceof BraidError && error.reason === "QUOTE_MISMATCH";
    return { name, accepted: false, fault: isRefusal ? undefined : String((error as Error).stack) };
  }
}
