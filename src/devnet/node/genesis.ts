import { concat, keccak256, pad, stringToHex, toHex } from "viem/utils";
import daiArtifact from "../../../contracts/devnet/out/DaiToken.json" with { type: "json" };
import feeArtifact from "../../../contracts/devnet/out/FeeToken.json" with { type: "json" };
import permitArtifact from "../../../contracts/devnet/out/PermitToken.json" with { type: "json" };
import tetherArtifact from "../../../contracts/devnet/out/TetherToken.json" with { type: "json" };
import plainArtifact from "../../../contracts/devnet/out/Token.json" with { type: "json" };
import type { Address, Hex } from "../../core/types.ts";
import { type DevnetToken, tokens } from "../plan/market.ts";
import type { Grant, Helper } from "../plan/plan.ts";

/** The state of the chain in block 0. */
type GenesisInput = {
  readonly chainId: number;
  /** Unix time in seconds of block 0. */
  readonly timestamp: number;
  readonly helpers: readonly Helper[];
  readonly grants: readonly Grant[];
  /** Unlimited allowances. */
  readonly approvals: readonly { readonly owner: Address; readonly spender: Address }[];
  /** Wei by account. */
  readonly natives: ReadonlyMap<Address, bigint>;
};

type Account = { balance: string; code?: Hex; storage?: Record<Hex, Hex> };

const CODE = {
  weth: undefined,
  plain: plainArtifact.runtimeCode as Hex,
  tether: tetherArtifact.runtimeCode as Hex,
  permit: permitArtifact.runtimeCode as Hex,
  dai: daiArtifact.runtimeCode as Hex,
  fee: feeArtifact.runtimeCode as Hex,
} as const;

/** Storage slots of the tokens' mappings, by contract: contracts/devnet/tokens/Ledger.sol, and WETH9 of v2-periphery. */
const SLOTS = {
  ledger: { balanceOf: 4, allowance: 5 },
  weth: { balanceOf: 3, allowance: 4 },
} as const;

/** The genesis file for anvil. For WETH it only sets balances and allowances; its constructor writes the rest later. */
export function genesis(input: GenesisInput): object {
  const alloc: Record<Address, Account> = {};
  for (const [address, wei] of input.natives) alloc[address] = { balance: toHex(wei) };
  for (const { address, runtimeCode } of input.helpers)
    alloc[address] = { balance: "0x0", code: runtimeCode };
  for (const token of tokens) alloc[token.address] = tokenAccount(token, input);

  return {
    config: { chainId: input.chainId },
    timestamp: toHex(input.timestamp),
    gasLimit: toHex(2_000_000_000),
    difficulty: "0x0",
    alloc,
  };
}

function tokenAccount(token: DevnetToken, input: GenesisInput): Account {
  const slots = token.kind === "weth" ? SLOTS.weth : SLOTS.ledger;
  const held = new Map<Address, bigint>();
  let supply = 0n;
  for (const { holder, token: granted, amount } of input.grants) {
    if (granted !== token.address) continue;
    held.set(holder, (held.get(holder) ?? 0n) + amount);
    supply += amount;
  }

  const storage: Record<Hex, Hex> = {};
  for (const [holder, amount] of held) storage[entry(holder, slots.balanceOf)] = word(amount);
  for (const { owner, spender } of input.approvals) {
    storage[nestedEntry(owner, spender, slots.allowance)] = word(2n ** 256n - 1n);
  }

  // WETH holds as much of the native coin as the sum of its balances.
  if (token.kind === "weth") return { balance: toHex(supply), storage };
  storage[word(0n)] = shortString(token.name);
  storage[word(1n)] = shortString(token.symbol);
  storage[word(2n)] = word(BigInt(token.decimals));
  storage[word(3n)] = word(supply);
  return { balance: "0x0", code: CODE[token.kind], storage };
}

/**
 * Solidity's storage word of a string of at most 31 bytes: its bytes on the left, twice its length in the last byte.
 */
function shortString(text: string): Hex {
  const bytes = stringToHex(text);
  const length = (bytes.length - 2) / 2;
  if (length > 31) throw new Error(`"${text}" does not fit one storage word.`);
  return `${pad(bytes, { dir: "right", size: 31 })}${toHex(length * 2, { size: 1 }).slice(2)}` as Hex;
}

/** Storage slot of a key in a mapping. */
const entry = remembered((key: Address, slot: number) =>
  keccak256(concat([pad(key), toHex(slot, { size: 32 })])),
);

const nestedEntry = remembered((outer: Address, inner: Address, slot: number) =>
  keccak256(concat([pad(inner), entry(outer, slot)])),
);

/**
 * Caches the results of a function: all tokens share holders and slots, and hashing dominates the cost of a genesis.
 */
function remembered<A extends readonly (string | number)[]>(compute: (...key: A) => Hex): (...key: A) => Hex {
  const known = new Map<string, Hex>();
  return (...key) => {
    const name = key.join(" ");
    const value = known.get(name) ?? compute(...key);
    known.set(name, value);
    return value;
  };
}

function word(value: bigint): Hex {
  return toHex(value, { size: 32 });
}
