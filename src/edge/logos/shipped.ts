import { readFileSync } from "node:fs";
import { type Address, type Chain, NATIVE } from "../../core/types.ts";
import type { Logo } from "../../service/ports/ports-logos.ts";

const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

type File = { readonly logos: Readonly<Record<Address, string>> };

/** The logos in this repository, by the token's address on Ethereum. logos.json names their source and licence. */
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

/** The key of a token in `readShippedLogos`; undefined where its chain does not have Ethereum's token addresses. */
export function shippedKey(chain: Chain, address: Address, isDevnet: boolean): Address | undefined {
  if (address === NATIVE) return chain.native.symbol === "ETH" ? WETH : undefined;
  return chain.id === 1 || isDevnet ? address : undefined;
}
