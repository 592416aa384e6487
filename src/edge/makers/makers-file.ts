import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { RFQ } from "../../core/rfq.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { isLoopbackHost, isPublicAddress } from "../public-addresses.ts";

/** The file of makers, once: what is checked and what docs/makers.md describes. */
export const MakersFile = Type.Object(
  {
    makers: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_]{0,31}$" }),
          chain_id: Type.Integer({ minimum: 1 }),
          address: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
          url: Type.String({ maxLength: 2_048 }),
          contract: Type.Optional(Type.Boolean()),
          secret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 64 },
    ),
  },
  { additionalProperties: false },
);

type Entry = Static<typeof MakersFile>["makers"][number];

/** A maker that the operator allows. */
export type MakerSettings = {
  /** Of its deployment: what include and exclude lists accept beside its name. */
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /** The account that signs its orders and holds its tokens. */
  readonly address: Address;
  /** Whether the account is a contract, which is asked for each order whether the signature is its own (EIP-1271). */
  readonly isContract: boolean;
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  /** Signs the requests to it, so that it knows who asks; undefined = they are not signed. */
  readonly secret: string | undefined;
};

/**
 * Reads the allow-list of makers.
 *
 * @param mayLoop whether a maker of that chain may be at a loopback address: true for a devnet only
 * @throws Error that names every fault of the file
 */
export function readMakersFile(path: string, mayLoop: (chainId: number) => boolean): MakerSettings[] {
  const given = parsed(path);
  const shape = Value.Errors(MakersFile, given).map((error) => `${error.instancePath}: ${error.message}`);
  if (shape.length > 0) throw new Error(fault(path, shape));
  const { makers } = given as Static<typeof MakersFile>;
  const faults = makers.flatMap((maker, k) => {
    const isDouble = makers.slice(0, k).some((other) => idOf(other) === idOf(maker));
    const why = urlFault(maker, mayLoop(maker.chain_id));
    return [
      ...(isDouble ? [`/makers/${k}/name: ${maker.name} is there twice`] : []),
      ...(why === undefined ? [] : [`/makers/${k}/url: ${why}`]),
    ];
  });
  if (faults.length > 0) throw new Error(fault(path, faults));
  return makers.map((maker) => ({
    id: idOf(maker),
    name: maker.name,
    chainId: maker.chain_id,
    address: maker.address.toLowerCase() as Address,
    isContract: maker.contract === true,
    url: maker.url.replace(/\/+$/, ""),
    secret: maker.secret,
  }));
}

const idOf = ({ name }: Entry): string => `maker-${name.toLowerCase().replaceAll("_", "-")}`;

const fault = (path: string, lines: readonly string[]): string =>
  `Bad makers file ${path}:\n${lines.map((line) => `  ${line}`).join("\n")}`;

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(fault(path, [(error as Error).message]));
  }
}

/** Secrets in a URL end up in logs, and a name of the operator's own network is none of a maker's. */
function urlFault({ url }: Entry, mayLoop: boolean): string | undefined {
  if (!URL.canParse(url)) return `not a URL: ${url}`;
  const { protocol, hostname, username, search, hash } = new URL(url);
  if (username !== "" || search !== "" || hash !== "") return "may have no user, query or fragment";
  if (isLoopbackHost(hostname)) return mayLoop ? undefined : "a loopback address is for the devnet only";
  if (protocol !== "https:") return `must be https, not ${protocol}`;
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 || isPublicAddress(address) ? undefined : `${address} is not a public address`;
}

/** A maker as a source of liquidity. Permit2 pays its tokens, and runs no code of the maker: it may pay recipients. */
export function makerDeployment({ id, name, address }: MakerSettings): Deployment {
  const known = { id, name, protocol: RFQ, factory: address, fromBlock: 0, trusted: true };
  return { ...known, facts: {}, source: "MAKERS_FILE" };
}
