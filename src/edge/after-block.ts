import type { Logger } from "pino";
import { chains } from "../chains/index.ts";
import type { Address, Chain, Head } from "../core/types.ts";
import type { GasOracle } from "./gas-oracle/gas-oracle.ts";
import { type AuditRequest, createAudit } from "./indexer/audit/audit.ts";
import { takeTurns } from "./indexer/audit/turns.ts";
import type { Indexer } from "./indexer/indexer.ts";
import { latestOnly } from "./latest-only.ts";
import type { Market } from "./market/market.ts";
import type { ChainNode } from "./node/node.ts";
import type { ChainReader } from "./node/types.ts";
import type { EdgeSettings } from "./settings.ts";
import { followTokens } from "./token-lists/follow-tokens.ts";
import type { TokenRegistry } from "./token-lists/registry.ts";

/**
 * Least time between two comparisons of states with the chain: on a fast chain `selfCheckBlocks` counts periods of this
 * length.
 */
const LEAST_AUDIT_MS = 2_000;
/**
 * Least time between two comparisons on a chain of several blocks a second, where headers alone are most of an
 * endpoint's requests.
 */
const LEAST_FAST_AUDIT_MS = 4_000;
/** Work in the background that runs after each commit of the market. */
type Background = {
  /** Resolves once the first state and its tokens can be queried, and the node was asked for gas prices. */
  readonly ready: Promise<void>;
  /** Reads the metadata of tokens that are not in the token list. */
  readonly know: (tokens: readonly Address[], head: Head) => Promise<void>;
};

type AfterRequest = {
  readonly chain: Chain;
  readonly settings: EdgeSettings;
  readonly tokens: TokenRegistry;
  readonly log: Logger;
};

/** The parts of a chain that this background work uses. */
type Parts = Pick<AuditRequest, "registry" | "load" | "ranks" | "blockTimeMs"> & {
  readonly market: Market;
  readonly reader: ChainReader;
  readonly indexer: Pick<Indexer, "unproven" | "isProven" | "reload" | "doubtLogs">;
  readonly gas: Pick<GasOracle, "refresh">;
  readonly node: Pick<ChainNode, "genesis">;
};

/** After each block, refreshes gas prices, reads new tokens and compares some pools with the chain. */
export function afterEachBlock({ chain, settings, tokens, log }: AfterRequest, parts: Parts): Background {
  const { market, indexer, gas, node } = parts;
  const leastMs = chain.blockTimeMs < 1000 ? LEAST_FAST_AUDIT_MS : LEAST_AUDIT_MS;
  const turn = Math.max(1, Math.ceil(leastMs / chain.blockTimeMs));
  const audit = createAudit({
    ...parts,
    deepest: settings.selfCheckPools,
    blocks: settings.selfCheckBlocks * turn,
    unproven: indexer.unproven,
    reload: indexer.reload,
    onWrong: indexer.doubtLogs,
    log,
  });
  const listTokens = followTokens({
    ...parts,
    chain,
    registry: tokens,
    genesis: node.genesis,
    listed: chains.includes(chain),
    activeDepth: settings.activeDepthNative * 10 ** chain.native.decimals,
    rankMs: settings.rankMs,
    log,
  });
  const isLive = () => market.port.status().phase === "live";
  const ready = new Promise<void>((resolve) => {
    let [isGasAsked, isListed] = [false, false];
    // Without gas prices every price is refused. One attempt to read them is enough here: a node that has none blocks
    // nothing else.
    const finish = () => void (isGasAsked && isListed && isLive() && resolve());
    const works = [
      latestOnly<Head>(async (head) => {
        await gas.refresh(head);
        isGasAsked = true;
        finish();
      }, log),
      latestOnly<Head>(async (head) => {
        isListed = await listTokens.takeOver(head);
        finish();
      }, log),
    ];
    const check = takeTurns({ ...settings, log, isProven: indexer.isProven, turn }, audit);
    market.onCommit((head) => {
      for (const work of works) work(head);
      check(head);
    });
  });
  return { ready, know: listTokens.know };
}
