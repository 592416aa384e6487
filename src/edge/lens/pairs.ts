import { encodeAbiParameters, keccak256, zeroAddress } from "viem";
import { callData, hasWords, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import { type Address, type Call, type Chain, type Hex, NATIVE, type Pool } from "../../core/types.ts";
import type { BlockRef, ChainReader } from "../node/types.ts";
import type { IndexPair } from "./layout.ts";
import type { Found, Lens } from "./lens.ts";

/** A pool of a pair, with what it holds of its two tokens; 0 and 0 of a singleton's pools. */
export type PairPool = { readonly pool: Pool; readonly balances: readonly [bigint, bigint] };

type PairsRequest = {
  readonly chain: Pick<Chain, "wrappedNative">;
  readonly dispatch: { readonly pairSources: readonly PairSource[] };
  readonly reader: ChainReader;
  readonly lens: Lens;
};

/**
 * The pools that the chain's factories have of pairs of tokens: by the lens where an endpoint runs it, else call by call.
 * A pair of the wrapped coin is asked for with the native one as well.
 *
 * @throws NodeFailure
 */
export async function poolsOfPairs(
  { chain, dispatch, reader, lens }: PairsRequest,
  pairs: readonly (readonly [Address, Address])[],
  block: BlockRef,
): Promise<PairPool[]> {
  const sources = dispatch.pairSources;
  const nativeOf = (token: Address) => (token === chain.wrappedNative ? NATIVE : token);
  const isWrapped = (token: Address) => token === chain.wrappedNative;
  const withNative = pairs.flatMap(([a, b]) => {
    const twice = sources.some(({ hashed }) => hashed) && (isWrapped(a) || isWrapped(b));
    return twice ? [[a, b] as const, [nativeOf(a), nativeOf(b)] as const] : [[a, b] as const];
  });
  return ask({ reader, lens }, { sources, pairs: withNative }, block);
}

type Asked = {
  readonly sources: readonly PairSource[];
  readonly pairs: readonly (readonly [Address, Address])[];
};

async function ask(
  { reader, lens }: Pick<PairsRequest, "reader" | "lens">,
  { sources, pairs }: Asked,
  block: BlockRef,
): Promise<PairPool[]> {
  if (sources.length === 0 || pairs.length === 0) return [];
  const places = new Map<Address, number>();
  const placeOf = (token: Address): number => {
    const named = token === NATIVE ? zeroAddress : token;
    const place = places.get(named) ?? places.size;
    places.set(named, place);
    return place;
  };
  const indexes = pairs.map(([a, b]): IndexPair => [placeOf(a), placeOf(b)]);
  const request = { sources, tokens: [...places.keys()], pairs: indexes };
  const found = await byLens(lens, request, block).catch((error: unknown) => {
    if (lens.isUsable()) throw error;
    return undefined;
  });
  return (found ?? (await callByCall(reader, request, block))).map(
    ({ source, tokens, named, key, balances }) => ({
      pool: (sources[source] as PairSource).poolOf(tokens, named, key),
      balances,
    }),
  );
}

type Indexed = Parameters<Lens["find"]>[0];

async function byLens(lens: Lens, request: Indexed, block: BlockRef): Promise<Found[] | undefined> {
  return lens.isUsable() ? lens.find(request, block) : undefined;
}

const BALANCE_OF: Hex = "0x70a08231";

async function callByCall(
  reader: ChainReader,
  { sources, tokens, pairs }: Indexed,
  block: BlockRef,
): Promise<Found[]> {
  const asked = pairs.flatMap((indexes) => {
    const pair = indexes.map((index) => tokens[index] as Address).sort() as [Address, Address];
    return sources.flatMap((source, k) => candidatesOf(source, k, pair));
  });
  const answers = await reader.read(
    asked.map(({ call }) => call),
    block,
  );
  const there = asked.flatMap(({ hash, call: _, ...one }, k) => {
    const answer = answers[k] as Hex;
    if (!hasWords(answer, 1) || uintAt(answer, 0) === 0n) return [];
    return [{ ...one, named: hash ?? (answer.slice(0, 66) as Hex), isHashed: hash !== undefined }];
  });
  const holders = there.filter(({ isHashed }) => !isHashed);
  const held = await reader.read(
    holders.flatMap(({ tokens: of, named }) =>
      of.map((to) => ({ to, data: callData(BALANCE_OF, BigInt(named)) })),
    ),
    block,
  );
  const balanceOf = new Map(holders.map(({ named }, k) => [named, [held[2 * k], held[2 * k + 1]] as const]));
  return there.map(({ isHashed: _, ...one }) => {
    const [low, high] = balanceOf.get(one.named) ?? ["0x", "0x"];
    return { ...one, balances: [amountIn(low), amountIn(high)] };
  });
}

const MOST = 2n ** 128n - 1n;

function amountIn(answer: Hex | undefined): bigint {
  if (answer === undefined || !hasWords(answer, 1)) return 0n;
  const amount = uintAt(answer, 0);
  return amount > MOST ? MOST : amount;
}

type Candidate = Pick<Found, "source" | "key" | "tokens"> & {
  readonly call: Call;
  readonly hash: Hex | undefined;
};

function candidatesOf(
  { target, selector, hashed, keys }: PairSource,
  source: number,
  tokens: readonly [Address, Address],
): Candidate[] {
  const numbers = tokens.map(BigInt);
  if (keys.length === 0)
    return [
      {
        source,
        key: undefined,
        tokens,
        hash: undefined,
        call: { to: target, data: callData(selector, ...numbers) },
      },
    ];
  return keys.map((key) => {
    const hash = hashed ? hashOf(tokens, key) : undefined;
    const data = hash === undefined ? callData(selector, ...numbers, key) : callData(selector, BigInt(hash));
    return { source, key, tokens, hash, call: { to: target, data } };
  });
}

const KEY_TYPES = ["address", "address", "uint24", "int24", "address"].map((type) => ({ type }));

function hashOf([token0, token1]: readonly [Address, Address], key: number): Hex {
  const [fee, spacing] = [Math.floor(key / 2 ** 24), key % 2 ** 24];
  return keccak256(encodeAbiParameters(KEY_TYPES, [token0, token1, fee, spacing, zeroAddress]));
}
