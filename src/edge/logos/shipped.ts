import { readFileSync } from "node:fs";
import { type Address, type Chain, NATIVE } from "../../core/types.ts";
import type { Logo } from "../../service/ports/ports-logos.ts";

const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

type File = { readonly logos: Readonly<Record<Address, string>> };

/** Logos that come with the project, by the address of the token on Ethereum. Their source and licence stand in the file. */
export function readShippedLogos(): ReadonlyMap<Address, Logo> {
  const folder = new URL("./data/", import.meta.url);
  const { logos } = JSON.parse(readFileSync(new URL("logos.json", folder), "utf8")) as File;
  return new Map(
    Object.entries(logos).map(([address, name]) => [
      address as Address,
      { type: "image/png", bytes: readFileSync(new URL(name, folder)) },
    ]),
  );
}

/** The address on Ethereum under which the shipped logo of a token stands; undefined where its chain has other addresses. */
export function shippedKey(chain: Chain, address: Address, isDevnet: boolean): Address | undefined {
  if (address === NATIVE) return chain.native.symbol === "ETH" ? WETH : undefined;
  return chain.id === 1 || isDevnet ? address : undefined;
}
