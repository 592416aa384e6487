import { encodeAbiParameters, keccak256 } from "viem/utils";
import { callData, hasWords, uintAt, word } from "../../core/abi.ts";
import { KEY_OF_MANAGER, type PairSource } from "../../core/protocol.ts";
import { ZERO_ADDRESS } from "../../core/tokens.ts";
import { type Address, type Call, type Chain, type Hex, NATIVE } from "../../core/types.ts";
import type { BlockRef, ChainReader } from "../node/types.ts";
import type { IndexPair } from "./layout.ts";
import type { Found, Lens } from "./lens.ts";
import { type PairPool, poolsNamed, type Readers } from "./named.ts";

type PairsRequest = {
  readonly chain: Pick<Chain, "wrappedNative">;
  readonly dispatch: { readonly pairSources: readonly PairSource[] };
} & Readers;

/**
 * The pools that the chain's factories have for pairs of tokens, read by the lens where an endpoint runs it, else call
 * by call. A pair with the wrapped coin is read with the native coin in its place as well, where a source supports
 * that.
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
  { reader, lens }: Readers,
  { sources, pairs }: Asked,
  block: BlockRef,
): Promise<PairPool[]> {
  if (sources.length === 0 || pairs.length === 0) return [];
  const places = new Map<Address, number>();
  const placeOf = (token: Address): number => {
    const named = token === NATIVE ? ZERO_ADDRESS : token;
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
  const named = found ?? (await callByCall(reader, request, block));
  return poolsNamed({ reader, lens }, { sources, found: named }, block);
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
    const { word: at } = sources[one.source] as PairSource;
    if (!hasWords(answer, at + 1) || uintAt(answer, at) === 0n) return [];
    const named = hash ?? (`0x${word(uintAt(answer, at))}` as const);
    return [{ ...one, named, isHashed: hash !== undefined }];
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
    const hash = hashed ? hashOfKey(target, tokens, key) : undefined;
    const data = hash === undefined ? callData(selector, ...numbers, key) : callData(selector, BigInt(hash));
    return { source, key, tokens, hash, call: { to: target, data } };
  });
}

const KEY_TYPES = ["address", "address", "uint24", "int24", "address"].map((type) => ({ type }));

const MANAGED_TYPES = ["address", "address", "address", "address", "uint24", "uint256"].map((type) => ({
  type,
}));

/** The hash that identifies a pool of a `hashed` source. @param tokens ascending; the native coin is the zero address */
export function hashOfKey(target: Address, [token0, token1]: readonly [Address, Address], key: number): Hex {
  const [fee, spacing] = [Math.floor((key % KEY_OF_MANAGER) / 2 ** 24), key % 2 ** 24];
  if (key >= KEY_OF_MANAGER)
    return keccak256(
      encodeAbiParameters(MANAGED_TYPES, [
        token0,
        token1,
        ZERO_ADDRESS,
        target,
        fee,
        BigInt(spacing * 2 ** 16),
      ]),
    );
  return keccak256(encodeAbiParameters(KEY_TYPES, [token0, token1, fee, spacing, ZERO_ADDRESS]));
}
