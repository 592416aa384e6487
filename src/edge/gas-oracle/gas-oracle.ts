import type { Logger } from "pino";
import { type BlockTips, type FeeHistory, legacyLevels, levels } from "../../core/gas/levels.ts";
import type { Head } from "../../core/types.ts";
import type { GasLevels, GasPort } from "../../service/ports/ports.ts";
import { fields, quantity } from "../node/parse.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Rpc } from "../node/transport/rpc.ts";

const BLOCKS = 20;
/** Percentiles of the gas used in a block, ordered by tip. */
const PERCENTILES = [10, 50, 90];
const DEADLINE_MS = 3000;
/** Tip where no block of the history used gas and the node suggests none. */
const DEFAULT_TIP_WEI = 1_000_000_000n;

export type GasOracle = GasPort & {
  /** Reads the fees up to this block. Where the node fails, the last levels stay. */
  refresh(head: Head): Promise<void>;
};

type OracleRequest = {
  readonly rpc: Rpc;
  readonly log: Logger;
  /** Least time between two refreshed blocks, for fast chains; 0 = each block is refreshed. */
  readonly leastSeconds?: number;
  /** Base fee of the block after this one by Ethereum's rule; undefined where its header does not determine it. */
  readonly nextBaseFeeWei?: (head: Head) => bigint | undefined;
};

/**
 * Blocks between two reads of the fee history where headers give the base fee. 5 of the 20 blocks that tips are taken
 * from have changed by then, which is a minute of mainnet. More blocks save requests and make tips older.
 */
const TIPS_BLOCKS = 5;

type Reading = { readonly history: FeeHistory; readonly block: number; readonly isByRule: boolean };

/**
 * Gas prices of one chain, updated from block to block. Where the base fee of the fee history equals the one that
 * Ethereum's rule gives for the block's header, the headers of the next blocks give the base fee, and the history is
 * read again `TIPS_BLOCKS` later.
 */
export function createGasOracle(request: OracleRequest): GasOracle {
  const { rpc, log, leastSeconds = 0, nextBaseFeeWei = () => undefined } = request;
  let newest: GasLevels | undefined;
  let last: Reading | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let said = false;
  const byHeader = (head: Head) => {
    const age = head.number - (last?.block ?? Number.NEGATIVE_INFINITY);
    if (last?.isByRule !== true || age < 0 || age >= TIPS_BLOCKS) return undefined;
    const base = nextBaseFeeWei(head);
    return base === undefined ? undefined : levels({ ...last.history, nextBaseFeeWei: base });
  };
  const read = async (head: Head) => {
    const history = await historyUpTo(rpc, head);
    if (history !== undefined) {
      last = { history, block: head.number, isByRule: nextBaseFeeWei(head) === history.nextBaseFeeWei };
      return levels(history);
    }
    if (!said) log.info("no fee history: gas prices from eth_gasPrice");
    said = true;
    return legacyLevels(quantity(await rpc.request("eth_gasPrice", [], { deadlineMs: DEADLINE_MS })));
  };
  return {
    levels: () => newest,
    async refresh(head) {
      if (Math.abs(head.timestamp - readAt) < leastSeconds) return;
      try {
        newest = byHeader(head) ?? (await read(head));
        readAt = head.timestamp;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        log.warn({ why: error.message }, "gas prices not read: the last ones stay");
      }
    },
  };
}

/** @returns undefined where the chain has no base fee or its nodes no fee history */
async function historyUpTo(rpc: Rpc, head: Head): Promise<FeeHistory | undefined> {
  const newestBlock = `0x${head.number.toString(16)}`;
  const [history] = await rpc.batch(
    [{ method: "eth_feeHistory", params: [`0x${BLOCKS.toString(16)}`, newestBlock, PERCENTILES] }],
    { block: head.number, deadlineMs: DEADLINE_MS },
  );
  if (history?.ok === false) {
    if (history.failure.kind === "unsupported" || history.failure.kind === "rpc") return undefined;
    throw history.failure;
  }
  const { baseFeePerGas, gasUsedRatio, reward } = fields(history?.result);
  const base = Array.isArray(baseFeePerGas) ? baseFeePerGas.map(quantity) : [];
  const next = base.at(-1);
  if (next === undefined || base.every((fee) => fee === 0n)) return undefined;
  const tips = tipsOf(reward, gasUsedRatio);
  const suggestedTipWei = tips.length > 0 ? DEFAULT_TIP_WEI : await suggestedTip(rpc);
  return { nextBaseFeeWei: next, tips, suggestedTipWei };
}

/** The tip that the node suggests, for histories without a block that used gas. */
async function suggestedTip(rpc: Rpc): Promise<bigint> {
  const request = { method: "eth_maxPriorityFeePerGas", params: [] };
  const [suggested] = await rpc.batch([request], { deadlineMs: DEADLINE_MS });
  return suggested?.ok === true ? quantity(suggested.result) : DEFAULT_TIP_WEI;
}

/** Tips of the blocks that used gas: an empty block reports zeros that nobody paid. */
function tipsOf(reward: unknown, used: unknown): BlockTips[] {
  if (!Array.isArray(reward)) return [];
  const ratios = Array.isArray(used) ? used : [];
  return reward
    .filter((row, k) => Array.isArray(row) && row.length === PERCENTILES.length && ratios[k] !== 0)
    .map((row: unknown[]) => {
      const [low, medium, high] = row.map(quantity) as [bigint, bigint, bigint];
      return { low, medium, high };
    });
}
