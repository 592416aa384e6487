import type { Address, Deployment } from "../../core/types.ts";

/** How each factory of DODO's second version is named in records. */
const KINDS = {
  dvm: { id: "dodo-dvm", name: "DODO_DVM" },
  dsp: { id: "dodo-dsp", name: "DODO_DSP" },
} as const;

/** A factory, and a block that no log of it is older than. */
type Factory = readonly [factory: Address, fromBlock: number];

/**
 * DODO's vending machines and stable pools on a chain other than Ethereum. Its private pools are left out there: their owners change them
 * without a log, so each of them is read in every block, and anyone makes them for next to nothing.
 *
 * @param config the protocol's file of addresses in DODOEX/contractV2
 */
export const dodo = (config: string, factories: Readonly<Record<keyof typeof KINDS, Factory>>) =>
  (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind): Deployment => {
    const [factory, fromBlock] = factories[kind];
    return {
      ...KINDS[kind],
      ...{ protocol: "dodo", factory, fromBlock, trusted: false, facts: {} },
      source: `DODOEX/contractV2 c58c067 ${config} and DODOEX/dodoex_v2_subgraph 0eb5bac subgraphs/dodoex agree; first block: the earlier one of that subgraph's and of DefiLlama-Adapters 1eb4e81 projects/dodo; not checked against the chain`,
    };
  });
