import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import { encodeAllowance, encodeBalanceOf } from "../../../core/encoding/index.ts";
import { ZERO_ADDRESS } from "../../../core/tokens.ts";
import type { Address, Call, Head, Hex } from "../../../core/types.ts";
import type { ChainReader } from "../../node/types.ts";
import type { MakerSettings } from "../makers-file.ts";

/** Calls contracts at a block; answers are in the order of the calls, "0x" for a call that reverts. */
export type ReadChain = {
  readonly head: () => Head | undefined;
  /** @throws NodeFailure where no node answers */
  readonly read: ChainReader["read"];
};

/** State of AirSwap's contract and of the tokens that concerns one maker, at one block. */
export type AirSwapFacts = {
  /** Basis points of `signerAmount`, which the signer pays on top of it. */
  readonly protocolFee: bigint;
  /** The account whose signature is valid: the maker's own, or the one that it has authorized. */
  readonly signatory: Address;
  /**
   * By token, the most that the maker can pay: the lesser of balance and allowance without the protocol fee, rounded
   * down, smallest units.
   */
  readonly payable: ReadonlyMap<Address, bigint>;
  readonly decimals: ReadonlyMap<Address, number>;
};

/** A maker of AirSwap's protocol. */
export type AirSwapMaker = MakerSettings & { readonly airSwap: NonNullable<MakerSettings["airSwap"]> };

const abi = parseAbi([
  "function protocolFee() view returns (uint256)",
  "function authorized(address signer) view returns (address)",
  "function decimals() view returns (uint8)",
]);

/** The protocol fee counts in basis points. */
export const FEE_DIVISOR = 10_000n;

/** Number of calls to AirSwap's contract, which come first, and number of calls to each token. */
const OF_CONTRACT = 2;
const OF_TOKEN = 3;

export type FactReader = {
  /**
   * The facts at the newest block, read at most once a block.
   *
   * @returns the reason in words where they cannot be read
   */
  read(): Promise<AirSwapFacts | string>;
  /** The facts that were read last, which may be of an older block. */
  last(): AirSwapFacts | undefined;
};

export function createFactReader(maker: AirSwapMaker, { head, read }: ReadChain): FactReader {
  const tokens = [...new Set(maker.airSwap.pairs.flat())];
  const calls = callsOf(maker, tokens);
  let readAt: Hex | undefined;
  let facts: AirSwapFacts | undefined;
  return {
    last: () => facts,
    async read() {
      const on = head();
      if (on === undefined) return "AirSwap's contract: there is no block yet";
      if (facts !== undefined && readAt === on.hash) return facts;
      const answers = await read(calls, on).catch((error: Error) => error.message);
      if (typeof answers === "string") return `AirSwap's contract: ${answers}`;
      const told = factsOf(maker, tokens, answers);
      if (typeof told === "string") return told;
      readAt = on.hash;
      facts = told;
      return told;
    },
  };
}

function callsOf({ address, airSwap: { settler } }: AirSwapMaker, tokens: readonly Address[]): Call[] {
  const ofContract = [
    encodeFunctionData({ abi, functionName: "protocolFee" }),
    encodeFunctionData({ abi, functionName: "authorized", args: [address] }),
  ].map((data) => ({ to: settler, data }));
  const decimals = encodeFunctionData({ abi, functionName: "decimals" });
  const ofToken = [encodeBalanceOf(address), encodeAllowance(address, settler), decimals];
  return [...ofContract, ...tokens.flatMap((to) => ofToken.map((data) => ({ to, data })))];
}

function factsOf(
  { address, airSwap: { settler } }: AirSwapMaker,
  tokens: readonly Address[],
  answers: readonly Hex[],
): AirSwapFacts | string {
  const [fee, authorized] = [answers[0]!, answers[1]!];
  if (!isWord(fee) || !isWord(authorized)) return `AirSwap's contract is not at ${settler}`;
  const protocolFee = BigInt(fee);
  const other = decodeFunctionResult({ abi, functionName: "authorized", data: authorized });
  const payable = new Map<Address, bigint>();
  const decimals = new Map<Address, number>();
  for (const [k, token] of tokens.entries()) {
    const [held, allowed, places] = answers.slice(
      OF_CONTRACT + k * OF_TOKEN,
      OF_CONTRACT + (k + 1) * OF_TOKEN,
    );
    if (![held, allowed, places].every((answer) => isWord(answer!)) || BigInt(places!) > MOST_DECIMALS)
      return `${token} is no token with decimals`;
    const most = BigInt(held!) < BigInt(allowed!) ? BigInt(held!) : BigInt(allowed!);
    payable.set(token, (most * FEE_DIVISOR) / (FEE_DIVISOR + protocolFee));
    decimals.set(token, Number(places));
  }
  const signatory = other === ZERO_ADDRESS ? address : (other.toLowerCase() as Address);
  return { protocolFee, signatory, payable, decimals };
}

const MOST_DECIMALS = 36n;

const isWord = (answer: Hex): boolean => answer.length === 66;
