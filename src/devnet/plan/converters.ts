import { encodeFunctionData, pad, parseAbi } from "viem/utils";
import type { Address, Hex } from "../../core/types.ts";
import { type DevnetPlan, planOfModels } from "./plan.ts";

/** What a converter holds of a token, smallest units, and the name of its function that answers the token's address. */
type Stock = { readonly name: string; readonly token: Address; readonly amount: bigint };

type Converter = {
  readonly address: Address;
  readonly runtimeCode: Hex;
  /** Calldata that opens it. */
  readonly opening: Hex;
  readonly stocks: readonly Stock[];
};

/** The plan of a model that exchanges tokens out of its stocks at a rate of its own. */
export function planOfConverter({ address, runtimeCode, opening, stocks }: Converter): DevnetPlan {
  return planOfModels({
    helpers: [{ address, runtimeCode }],
    grants: stocks.map(({ token, amount }) => ({ holder: address, token, amount })),
    transactions: [{ to: address, data: opening, gas: 300_000 }],
    checks: stocks.map(({ name, token }) => ({
      what: `${name} of ${address}`,
      call: {
        to: address,
        data: encodeFunctionData({ abi: parseAbi([`function ${name}() view returns (address)`]) }),
      },
      startsWith: pad(token),
    })),
  });
}
