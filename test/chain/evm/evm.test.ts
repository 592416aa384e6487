import { toHex } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hex } from "../../../src/core/types.ts";
import { type Anvil, inPrivateFolder, startAnvil } from "../../../src/devnet/node/anvil.ts";
import { claimPort } from "../../../src/devnet/node/port.ts";
import { createChain } from "../blocks/chain.ts";
import { mix, word } from "../model/hash.ts";
import { createBackend } from "../node/backend.ts";
import { profileOf } from "../node/profiles.ts";

/** Code of every kind of instruction that only reckons, here and on a real node: the words that it makes, and the gas that it leaves. */

const ADDRESS: Hex = `0x${"ab".repeat(20)}`;
const GAS = 1_000_000;
/** Where a word changes from a number to a bigint, where operators on bits end, and where signs and moduli turn. */
const EDGES = [0n, 1n, 2n, 31n, 32n, 255n, 256n, 2n ** 31n, 2n ** 53n, 2n ** 64n, 2n ** 160n, 2n ** 255n];
const WORDS = [...EDGES, ...EDGES.map((edge) => edge - 1n), ...EDGES.map((edge) => edge + 1n)].map((edge) =>
  BigInt.asUintN(256, edge),
);
/** Opcodes by how many words they take. */
const OPERATIONS: readonly (readonly [op: number, inputs: number])[] = [
  ...[0x15, 0x19].map((op) => [op, 1] as const),
  ...[1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14].map((op) => [op, 2] as const),
  ...[0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d].map((op) => [op, 2] as const),
  ...[0x08, 0x09].map((op) => [op, 3] as const),
];

const backend = createBackend(
  createChain({ seed: 1, sizes: { v2: 10, v3: 2, v4: 2 }, built: 2 }),
  profileOf("local"),
);
let anvil: Anvil;
beforeAll(async () => {
  const port = await claimPort("127.0.0.1", 0);
  const options = ["--chain-id", "1", "--no-mining"];
  anvil = await inPrivateFolder((home) => startAnvil({ host: "127.0.0.1", port, arguments: options }, home));
}, 120_000);
afterAll(() => anvil?.kill());

const byte = (value: number) => value.toString(16).padStart(2, "0");
const push = (value: number) => `61${byte(value >> 8)}${byte(value & 255)}`;
const inputWord = (k: number) => `${push(32 * k)}35`;
const pushWord = (value: bigint) => `7f${word(value)}`;
/** Stores the top of the stack as the `k`th word, returns the first `count` of memory. */
const store = (k: number) => `${push(32 * k)}52`;
const giveBack = (count: number) => `5a${store(count)}${push(32 * (count + 1))}5ff3`;

async function expectSame(code: string, words: readonly bigint[]): Promise<void> {
  const data = `0x${words.map(word).join("")}`;
  const params = [{ to: ADDRESS, data, gas: toHex(GAS) }, "latest", { [ADDRESS]: { code: `0x${code}` } }];
  const real = await anvil.rpc.call("eth_call", params);
  expect(backend.answer("eth_call", params)).toBe(real);
}

/** Adds to the top of the stack whether it is zero, and then whether it is above: a word in a wrong form shows when it is used. */
const USED = "801501805f1001";

const drawn = (seed: number, k: number) => WORDS[mix(seed, k) % WORDS.length] as bigint;
const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

test("arithmetic of words that the call brings", async () => {
  const code = OPERATIONS.map(([op, inputs], k) => {
    const words = Array.from({ length: inputs }, (_, n) => inputWord(3 * k + n));
    return `${words.join("")}${byte(op)}${store(k)}`;
  });
  for (const seed of SEEDS) {
    const words = Array.from({ length: 3 * OPERATIONS.length }, (_, k) => drawn(seed, k));
    await expectSame(code.join("") + giveBack(code.length), words);
  }
});

test("arithmetic of each two words", async () => {
  const rest = WORDS.map((_, k) => inputWord(k + 1));
  const code = OPERATIONS.filter(([, inputs]) => inputs === 2)
    .flatMap(([op]) => rest.map((other) => `${other}${inputWord(0)}${byte(op)}`))
    .map((one, k) => one + USED + store(k));
  for (const one of WORDS) await expectSame(code.join("") + giveBack(code.length), [one, ...WORDS]);
});

test("arithmetic of words that the code names", async () => {
  for (const seed of SEEDS) {
    const code = OPERATIONS.map(([op, inputs], k) => {
      const words = Array.from({ length: inputs }, (_, n) => pushWord(drawn(seed, 3 * k + n)));
      return `${words.join("")}${byte(op)}${store(k)}`;
    });
    await expectSame(code.join("") + giveBack(code.length), []);
  }
});

const DEEP = 17;

/** Copies and swaps words of the stack, some of them those that the trace found there: a loop runs the same again. */
function shuffled(seed: number, turns: number): string {
  const start = Array.from({ length: DEEP }, (_, k) => inputWord(k)).join("");
  const moves = Array.from({ length: 30 }, (_, k) => {
    const random = mix(seed, k);
    const depth = (random >>> 2) % 16;
    return random % 3 === 0 ? `${byte(0x80 + depth)}${byte(0x90 + depth)}01` : byte(0x90 + depth);
  }).join("");
  const head = `${start}${push(turns)}`;
  const loop = head.length / 2;
  // The count of turns waits in memory, so that the shuffled words are all that is on the stack.
  const turn = `5b${store(DEEP)}${moves}${push(32 * DEEP)}5160019003`;
  const ending = `80${push(loop)}5750${Array.from({ length: DEEP }, (_, k) => store(k)).join("")}`;
  return head + turn + ending + giveBack(DEEP);
}

test("words that are copied and swapped, in a loop", async () => {
  for (const seed of SEEDS) {
    const words = Array.from({ length: DEEP }, (_, k) => drawn(seed, 100 + k));
    await expectSame(shuffled(seed, 1 + (seed % 3)), words);
  }
});

test("memory, hashes, copies and jumps to places that the call names", async () => {
  const head = `${inputWord(0)}${push(3)}0156`;
  const padding = "5b".repeat(4);
  const code = [
    `${push(70)}5f${push(7)}37`,
    `${push(33)}${push(5)}${push(40)}39`,
    `${inputWord(1)}${push(11)}53`,
    `${push(64)}${push(9)}${push(21)}5e`,
    `${push(90)}${push(3)}20${push(200)}52`,
    `${push(500)}51${push(260)}52`,
    `59${push(300)}52365838${push(340)}5201${push(380)}52`,
    `5a${push(420)}52${push(480)}5ff3`,
  ];
  for (const at of [head.length / 2 - 3, head.length / 2 - 2, head.length / 2 - 1]) {
    const words = [BigInt(at), drawn(at, 1), drawn(at, 2)];
    await expectSame(head + padding + code.join(""), words);
  }
});

test.each([
  ["a word that is not on the stack", "01"],
  ["a word below those that were pushed", "5f5f5f600a5782"],
  ["a jump into data", `${push(1)}56`],
  ["a jump to nowhere", `${inputWord(0)}56`],
  ["memory without end", `${inputWord(0)}51`],
  ["an instruction that there is not", "0c"],
  ["a loop that ends with its gas", `5b${push(0)}56`],
  ["its own word", "fd"],
])("code that fails for %s fails on both", async (_why, code) => {
  const params = [
    { to: ADDRESS, data: `0x${word(2n ** 255n)}`, gas: toHex(GAS) },
    "latest",
    { [ADDRESS]: { code: `0x${code}` } },
  ];
  await expect(anvil.rpc.call("eth_call", params)).rejects.toThrow();
  expect(() => backend.answer("eth_call", params)).toThrow();
});
