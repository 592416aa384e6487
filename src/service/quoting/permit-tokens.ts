import type { TypedDataDomain } from "viem";
import { decodeAbiParameters, hexToString } from "viem/utils";
import { callData } from "../../core/abi.ts";
import { domainSeparator, encodeAllowance, PERMIT2_ADDRESS } from "../../core/encoding/index.ts";
import { forgetOldest } from "../../core/forget-oldest.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { ServedChain } from "../ports/ports.ts";
import { firstWord } from "../wallet.ts";

/** The permit form of a token: EIP-2612, or DAI's own form, which allows either everything or nothing. */
export type PermitKind = "eip2612" | "dai";

type TokenDomain = { readonly kind: PermitKind; readonly domain: TypedDataDomain };

/** The permits that a token and Permit2 offer to a wallet. */
export type PermitFacts = {
  /** undefined where the token has no permits, or its EIP-712 domain cannot be derived from its own answers. */
  readonly token: (TokenDomain & { readonly nonce: bigint }) | undefined;
  /** undefined where Permit2 is not deployed on this chain. */
  readonly permit2: { readonly allowance: bigint } | undefined;
};

const selectors = {
  domainSeparator: "0x3644e515",
  nonces: "0x7ecebe00",
  name: "0x06fdde03",
  version: "0x54fd4d50",
  permitTypehash: "0x30adf81f",
} as const satisfies Record<string, Hex>;

/**
 * keccak256 of the struct types that are signed. A token that publishes another value under PERMIT_TYPEHASH has a
 * permit of another form.
 *
 * @source EIP-2612; makerdao/dss src/dai.sol
 */
const kindOfTypehash: Readonly<Record<Hex, PermitKind>> = {
  "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9": "eip2612",
  "0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb": "dai",
};

const NO_ANSWER = "0x";

/** Domains by token, with the separator that proved each; if a token's separator changes, its domain is read again. */
type Known = Map<Address, { readonly separator: Hex; readonly found: TokenDomain | undefined }>;
const knownOn = new WeakMap<ServedChain, Known>();
/** Most tokens whose domains are remembered, and longest answer that is: both are up to whoever deploys tokens. */
const MOST_KNOWN = 5_000;
const LONGEST_HEX = 2_000;

/** Reads from the chain what can be signed for a token. @throws BraidError STALE_STATE when no node answers */
export async function permitFacts(served: ServedChain, token: Address, owner: Address): Promise<PermitFacts> {
  const { node, chain } = served;
  const [separator, nonce, permit2Separator, allowance] = await Promise.all([
    node.call(token, selectors.domainSeparator),
    node.call(token, callData(selectors.nonces, BigInt(owner))),
    node.call(PERMIT2_ADDRESS, selectors.domainSeparator),
    node.call(token, encodeAllowance(owner, PERMIT2_ADDRESS)),
  ]);
  const isPermit2 = permit2Separator === domainSeparator(permit2Domain(chain.id));
  const counted = firstWord(nonce);
  const known =
    firstWord(separator) === undefined || separator.length > LONGEST_HEX || counted === undefined
      ? undefined
      : domainOf(served, token, separator);
  const domain = await known;
  return {
    token: domain === undefined ? undefined : { ...domain, nonce: counted! },
    permit2: isPermit2 ? { allowance: firstWord(allowance) ?? 0n } : undefined,
  };
}

function permit2Domain(chainId: number): TypedDataDomain {
  return { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS };
}

async function domainOf(
  served: ServedChain,
  token: Address,
  separator: Hex,
): Promise<TokenDomain | undefined> {
  const known: Known = knownOn.get(served) ?? new Map();
  knownOn.set(served, known);
  const before = known.get(token);
  if (before?.separator === separator) return before.found;
  const found = await readDomain(served, token, separator);
  known.set(token, { separator, found });
  forgetOldest(known, MOST_KNOWN);
  return found;
}

/** The domain that hashes to the token's separator; undefined where none of the usual domains does. */
async function readDomain(
  { node, chain }: ServedChain,
  token: Address,
  separator: Hex,
): Promise<TokenDomain | undefined> {
  const [name, version, typehash] = await Promise.all([
    node.call(token, selectors.name).then(textOf),
    node.call(token, selectors.version).then(textOf),
    node.call(token, selectors.permitTypehash),
  ]);
  // A token without the constant PERMIT_TYPEHASH may still have the three functions of the standard.
  const kind = typehash === NO_ANSWER ? "eip2612" : kindOfTypehash[typehash];
  if (kind === undefined || name === undefined) return undefined;
  const bare = { name, chainId: chain.id, verifyingContract: token };
  const versions = [...new Set([version, "1", "2"])].filter((each) => each !== undefined);
  const domains = [...versions.map((each) => ({ ...bare, version: each })), bare];
  const domain = domains.find((each) => domainSeparator(each) === separator);
  return domain === undefined ? undefined : { kind, domain };
}

/** The text of an answer that is an ABI string, or bytes32 as of older tokens; undefined where it is neither. */
function textOf(data: Hex): string | undefined {
  if (data === NO_ANSWER || data.length > LONGEST_HEX) return undefined;
  try {
    return decodeAbiParameters([{ type: "string" }], data)[0];
  } catch {
    return data.length === 66 ? hexToString(data, { size: 32 }) : undefined;
  }
}
