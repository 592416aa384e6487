import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { SWAP_ERC20_ADDRESS } from "../../core/encoding/index.ts";
import { RFQ } from "../../core/rfq.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { isLoopbackHost, isPublicAddress } from "../public-addresses.ts";

/** Most pairs of one AirSwap maker: both directions of all of them are requested at once. */
const MOST_PAIRS = 32;

const TokenAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });

/** Schema of the makers file, which docs/makers.md describes. */
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
          protocol: Type.Optional(Type.Enum(["braid", "airswap"])),
          pairs: Type.Optional(
            Type.Array(Type.Tuple([TokenAddress, TokenAddress]), { minItems: 1, maxItems: MOST_PAIRS }),
          ),
          push: Type.Optional(Type.Boolean()),
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

/** Settings of a maker that serves AirSwap's protocol. */
export type AirSwapSettings = {
  /** The SwapERC20 contract of its chain. */
  readonly settler: Address;
  /** Pairs for which prices are requested, in both directions. */
  readonly pairs: readonly (readonly [Address, Address])[];
};

/** A maker of the operator's allow-list. */
export type MakerSettings = {
  /** Id of its deployment, which include and exclude lists accept like its name. */
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /** The account that signs its orders and holds its tokens. */
  readonly address: Address;
  /** Whether the account is a contract, whose signatures are checked by EIP-1271. */
  readonly isContract: boolean;
  /** Base URL of its server, without a slash at the end. */
  readonly url: string;
  /** undefined = the maker serves Braid's own interface. */
  readonly airSwap: AirSwapSettings | undefined;
  /** Whether it pushes its levels, signed with the secret, in the place of being polled. */
  readonly pushes: boolean;
  /** Key of the HMAC that authenticates requests to it and pushes from it; undefined = requests are not signed. */
  readonly secret: string | undefined;
};

/**
 * Reads the allow-list of makers.
 *
 * @param mayLoop whether a maker of that chain may have a loopback address: true for a devnet only
 * @throws Error that lists all faults of the file's shape, or else all faults of its entries
 */
export function readMakersFile(path: string, mayLoop: (chainId: number) => boolean): MakerSettings[] {
  const given = parsed(path);
  const shape = Value.Errors(MakersFile, given).map((error) => `${error.instancePath}: ${error.message}`);
  if (shape.length > 0) throw new Error(fault(path, shape));
  const { makers } = given as Static<typeof MakersFile>;
  const faults = makers.flatMap((maker, k) => {
    const isDouble = makers.slice(0, k).some((other) => idOf(other) === idOf(maker));
    const isDevnet = mayLoop(maker.chain_id);
    const why = urlFault(maker, isDevnet);
    const unfit = airSwapFault(maker, isDevnet) ?? pushFault(maker, makers.slice(0, k));
    return [
      ...(unfit === undefined ? [] : [`/makers/${k}${unfit}`]),
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
    airSwap: airSwapOf(maker),
    pushes: maker.push === true,
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
    throw new Error(fault(path, [reasonOf(error as Error)]));
  }
}

/** Why the file was not read. A syntax error repeats the text around it, which may be a part of a maker's secret. */
function reasonOf(error: Error): string {
  if (!(error instanceof SyntaxError)) return error.message;
  const [place = ""] = /\(line \d+ column \d+\)/.exec(error.message) ?? [];
  return `it is not valid JSON ${place}`.trimEnd();
}

/** Mainnets on which AirSwap's contract is deployed. @source deploys.js of npm's @airswap/swap-erc20 5.0.1 */
const AIRSWAP_CHAINS = [1, 56, 137, 8_453, 42_161, 43_114, 59_144];

/** @returns the JSON pointer of the invalid field, and the reason */
function airSwapFault(maker: Entry, isDevnet: boolean): string | undefined {
  const { protocol, pairs = [], secret, chain_id } = maker;
  if (protocol !== "airswap") return pairs.length > 0 ? "/pairs: are of an airswap maker" : undefined;
  if (!isDevnet && !AIRSWAP_CHAINS.includes(chain_id))
    return `/chain_id: AirSwap's contract is not known on chain ${chain_id}`;
  if (secret !== undefined) return "/secret: AirSwap's servers know no signed requests";
  if (pairs.length === 0) return "/pairs: are needed of an airswap maker";
  const isSame = pairs.some(([base, quote]) => base.toLowerCase() === quote.toLowerCase());
  return isSame ? "/pairs: both tokens are the same" : undefined;
}

/**
 * A push is signed with the secret and names neither its maker nor its chain. Two entries with one secret would accept each
 * other's pushes: whoever saw the levels of one chain could push them for another.
 */
function pushFault({ push, secret, protocol }: Entry, before: readonly Entry[]): string | undefined {
  if (push !== true) return undefined;
  if (protocol === "airswap") return "/push: AirSwap's servers are asked";
  if (secret === undefined) return "/secret: is needed of a maker that pushes its levels";
  const same = before.find((other) => other.push === true && other.secret === secret);
  return same && `/secret: is that of ${same.name} too: each entry that pushes needs a secret of its own`;
}

function airSwapOf({ protocol, pairs = [] }: Entry): AirSwapSettings | undefined {
  if (protocol !== "airswap") return undefined;
  const lower = (token: string) => token.toLowerCase() as Address;
  return { settler: SWAP_ERC20_ADDRESS, pairs: pairs.map(([base, quote]) => [lower(base), lower(quote)]) };
}

/**
 * Rejects URLs whose user, query or fragment may carry a secret, since URLs end up in logs, and URLs of the operator's
 * own network. Host names are resolved, and checked to be public, at connection time.
 */
function urlFault({ url }: Entry, mayLoop: boolean): string | undefined {
  if (!URL.canParse(url)) return `not a URL: ${url}`;
  const { protocol, hostname, username, search, hash } = new URL(url);
  if (username !== "" || search !== "" || hash !== "") return "may have no user, query or fragment";
  if (protocol === "wss:" || protocol === "ws:")
    return "a WebSocket server (AirSwap's last look) is not supported; a maker is asked by https";
  if (isLoopbackHost(hostname)) return mayLoop ? undefined : "a loopback address is for the devnet only";
  if (protocol !== "https:") return `must be https, not ${protocol}`;
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 || isPublicAddress(address) ? undefined : `${address} is not a public address`;
}

/**
 * The deployment of a maker's pools. It is trusted to pay recipients directly, since Permit2 or AirSwap's contract
 * moves its tokens and makes no call by which code of the maker could change state.
 */
export function makerDeployment({ id, name, address }: MakerSettings): Deployment {
  const known = { id, name, protocol: RFQ, factory: address, fromBlock: 0, trusted: true };
  return { ...known, facts: {}, source: "MAKERS_FILE" };
}
