import Type, { type Static } from "typebox";
import { withContractV } from "../../core/encoding/index.ts";
import type { Detail } from "../../core/errors.ts";
import { type Hex, NATIVE } from "../../core/types.ts";
import type { GivenPermit, PermitOffer } from "../../service/quoting/permits.ts";
import { AddressOut, Integer, Text } from "./schemas.ts";
import type { Rule } from "./validation.ts";

/** Query parameters with a signed permit, which replaces an approval of the router. */
export const permitQuery = {
  permit_kind: Type.Optional(
    Text("permit-kind", { description: "What was signed of the permit that a quote offered" }),
  ),
  permit_signature: Type.Optional(
    Text("signature", { description: "takerAddress's signature; the calldata then needs no approval" }),
  ),
  permit_nonce: Type.Optional(Text("uint256", { description: "The nonce signed; eip2612 needs none" })),
  permit_deadline: Type.Optional(Text("deadline", { description: "The deadline signed" })),
};

const PermitQuery = Type.Object(permitQuery);

const AnyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  additionalProperties: true,
});

const Offered = Type.Object({
  typed_data: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: "object",
    additionalProperties: true,
    description: "What to sign, as eth_signTypedData_v4 and viem's signTypedData take it",
  }),
  typed_data_ethers: Type.Object(
    {
      domain: AnyObject,
      types: AnyObject,
      value: AnyObject,
    },
    {
      description:
        "The same as the arguments of ethers' signTypedData(domain, types, value), which refuses types that hold EIP712Domain",
    },
  ),
  permit_nonce: Integer("To be sent back with the signature"),
  permit_deadline: Type.Integer({ description: "To be sent back with the signature" }),
  ready: Type.Boolean({ description: "false: the token must be approved once for the contract in approve" }),
  approve: Type.Optional(AddressOut("The contract that takes the tokens by this signature: Permit2")),
});

/** Permits that the taker can sign, by kind, which is the value of permit_kind to send back with the signature. */
export const Permit = Type.Object(
  { eip2612: Type.Optional(Offered), dai: Type.Optional(Offered), permit2: Type.Optional(Offered) },
  {
    description:
      "What takerAddress may sign in the place of an approval, read from the chain; absent for the native coin and without takerAddress",
  },
);

/** A permit must be complete, for side=SELL, and for a token other than the native coin. */
export const permitRule: Rule = (texts): Detail[] => {
  const { permit_kind: kind, permit_signature: signature, permit_deadline: deadline } = texts;
  const nonce = kind === "eip2612" ? "" : texts.permit_nonce;
  const parts = Object.entries({
    permit_kind: kind,
    permit_signature: signature,
    permit_deadline: deadline,
    permit_nonce: nonce,
  });
  const given = [kind, signature, deadline, texts.permit_nonce].some((part) => part !== undefined);
  if (!given) return [];
  const faults: Detail[] = parts
    .filter(([, part]) => part === undefined)
    .map(([field]) => ({
      field,
      reason: "is missing: a permit has a kind, a signature, a deadline and a nonce",
    }));
  if (String(texts.side).toUpperCase() === "BUY")
    faults.push({ field: "side", reason: "must be SELL with a permit: it is signed for amount_in" });
  if (String(texts.fromTokenAddress).toLowerCase() === NATIVE)
    faults.push({ field: "permit_kind", reason: "is for tokens: the native coin needs no approval" });
  return faults;
};

/** The permit in a validated query; undefined where it has none. */
export function givenPermit(query: Static<typeof PermitQuery>): GivenPermit | undefined {
  const { permit_kind: kind, permit_signature: signature } = query;
  if (kind === undefined || signature === undefined) return undefined;
  return {
    kind: kind as GivenPermit["kind"],
    signature: withContractV(signature.toLowerCase() as Hex),
    nonce: BigInt(query.permit_nonce ?? "0"),
    deadline: Number(query.permit_deadline),
  };
}

/** The permits of a quote by kind; undefined where there are none. */
export function presentPermits(permits: readonly PermitOffer[]): Static<typeof Permit> | undefined {
  if (permits.length === 0) return undefined;
  return Object.fromEntries(
    permits.map(({ kind, typedData, nonce, deadline, ready, approve }) => {
      const terms = {
        typed_data: typedData,
        typed_data_ethers: forEthers(typedData),
        permit_nonce: nonce.toString(),
        permit_deadline: deadline,
        ready,
      };
      return [kind, approve === undefined ? terms : { ...terms, approve }];
    }),
  );
}

/** The typed data for ethers, without EIP712Domain: ethers adds it, and would take it for a second primary type. */
function forEthers({ domain, types, message }: PermitOffer["typedData"]) {
  const { EIP712Domain: _, ...others } = types;
  return { domain, types: others, value: message };
}
