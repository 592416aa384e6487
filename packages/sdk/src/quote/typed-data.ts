import type { QuoteAnswer } from "../generated/api.ts";
import { ROUTER } from "../generated/router.ts";
import { type Hex, PERMIT2, sameAddress } from "../hex.ts";

/** Kinds of permits, whose signature replaces an approval. */
export type PermitKind = "eip2612" | "dai" | "permit2";

type Field = { readonly name: string; readonly type: string };

/** Typed data for eth_signTypedData_v4, with integers as decimal text. */
export type TypedData = {
  readonly types: Readonly<Record<string, readonly Field[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
};

/** The terms of a permit. */
export type Signing = {
  readonly chainID: number;
  readonly owner: string;
  /** The token sold. */
  readonly token: string;
  /** In smallest units. */
  readonly amount: bigint;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
};

const field = (text: string): Field => {
  const [type = "", name = ""] = text.split(" ");
  return { name, type };
};
const fields = (text: string): readonly Field[] => text.split(", ").map(field);

const PERMIT = fields("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline");
const DAI_PERMIT = fields("address holder, address spender, uint256 nonce, uint256 expiry, bool allowed");
const PERMISSIONS = fields("address token, uint256 amount");
const TRANSFER = fields("TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline");
const DOMAIN_TYPES: Readonly<Record<string, string>> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
};

type Offered = NonNullable<NonNullable<QuoteAnswer["permit"]>[PermitKind]>;

/**
 * The typed data that the wallet should sign, derived from the request. From the service's answer, only the name and
 * version of the token's domain are used: wrong ones make the signature invalid, and cannot make it allow anything
 * else.
 */
export function expectedTypedData(kind: PermitKind, offered: Offered, signing: Signing): TypedData {
  const { owner, nonce, deadline, amount, token } = signing;
  const until = String(deadline);
  if (kind === "permit2") {
    const domain = { name: "Permit2", chainId: signing.chainID, verifyingContract: PERMIT2 };
    const message = {
      permitted: { token: lower(token), amount: String(amount) },
      spender: ROUTER,
      nonce: String(nonce),
      deadline: until,
    };
    const types = {
      EIP712Domain: domainFields(domain),
      TokenPermissions: PERMISSIONS,
      PermitTransferFrom: TRANSFER,
    };
    return { types, primaryType: "PermitTransferFrom", domain, message };
  }
  const told = domainOf(offered);
  const domain = {
    ...(typeof told.name === "string" ? { name: told.name } : {}),
    ...(typeof told.version === "string" ? { version: told.version } : {}),
    chainId: signing.chainID,
    verifyingContract: lower(token),
  };
  const message =
    kind === "dai"
      ? { holder: lower(owner), spender: ROUTER, nonce: String(nonce), expiry: until, allowed: true }
      : {
          owner: lower(owner),
          spender: ROUTER,
          value: String(amount),
          nonce: String(nonce),
          deadline: until,
        };
  const types = { EIP712Domain: domainFields(domain), Permit: kind === "dai" ? DAI_PERMIT : PERMIT };
  return { types, primaryType: "Permit", domain, message };
}

/** Fields of an offered permit that differ from the request; empty where there are none. */
export function permitFaults(kind: PermitKind, offered: Offered, signing: Omit<Signing, "nonce">): string[] {
  const nonce = offered.permit_nonce;
  if (typeof nonce !== "bigint") return ["permit_nonce"];
  const faults: string[] = [];
  if (canonical(offered.typed_data) !== canonical(expectedTypedData(kind, offered, { ...signing, nonce })))
    faults.push("typed_data");
  if (offered.permit_deadline !== signing.deadline) faults.push("permit_deadline");
  const approved = kind === "permit2" ? PERMIT2 : undefined;
  if (offered.approve !== approved && !sameAddress(offered.approve, approved)) faults.push("approve");
  return faults;
}

function domainOf(offered: Offered): Readonly<Record<string, unknown>> {
  const { domain } = (offered.typed_data ?? {}) as { domain?: unknown };
  return typeof domain === "object" && domain !== null ? (domain as Record<string, unknown>) : {};
}

function domainFields(domain: Readonly<Record<string, unknown>>): Field[] {
  return Object.keys(domain).map((name) => ({ name, type: DOMAIN_TYPES[name]! }));
}

const lower = (address: string) => address.toLowerCase() as Hex;

/** Canonical JSON for comparison: sorted keys, numbers as text, hexadecimal text in lower case. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === "number" || typeof each === "bigint") return String(each);
    if (typeof each === "string" && /^0x[0-9a-f]*$/i.test(each)) return each.toLowerCase();
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
