import Type from "typebox";
import type { Summary } from "../../../service/accuracy/figures.ts";
import { servedChain } from "../../../service/chain.ts";
import type { AccuracyReport, SameState } from "../../../service/ports/ports-accuracy.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { ChainParams, failureResponses } from "../../schemas/schemas.ts";

const Runs = Type.Object({
  exact: Type.Integer({ description: "Paid what was quoted to the unit" }),
  differs: Type.Integer(),
  reverted: Type.Integer(),
  max_error_bps: Type.Number({ description: "Basis points of what was quoted" }),
});

const Loss = Type.Object(
  { mean: Type.Number(), p50: Type.Number(), p95: Type.Number(), p99: Type.Number(), max: Type.Number() },
  { description: "Basis points of what was quoted, of the newest 1,024; below 0 is a gain" },
);

const schema = {
  tags: ["operation"],
  operationId: "accuracy",
  summary:
    "How offers of a chain turn out: against their own block, one block later, ten seconds later, and executed",
  params: ChainParams,
  response: {
    200: Type.Object({
      same_state: Type.Object(
        { reference: Runs, callers: Runs, executed: Runs, unvetted: Runs },
        {
          description:
            "Calldata run on the block that it was quoted in: of the service's own quotes, of callers', and of callers' for tokens that no list names; executed: mined first in the very next block, where blocks are read",
        },
      ),
      replayed: Type.Array(
        Type.Object({
          source: Type.String({ examples: ["reference", "callers"] }),
          pair_class: Type.String({ examples: ["wrap", "pegged", "deep", "shallow", "unknown"] }),
          horizon: Type.String({ examples: ["block", "10s"] }),
          count: Type.Integer(),
          unfilled: Type.Integer({
            description: "Those that could no longer be filled; they count as a loss of all",
          }),
          loss_bps: Loss,
        }),
        { description: "Routes that were offered, settled again on later states; a sample of them" },
      ),
      executed: Type.Object(
        {
          succeeded: Type.Integer(),
          untold: Type.Integer({ description: "Those of them of which it cannot be told what they paid" }),
          reverted: Type.Integer(),
          found_in_blocks: Type.Integer({
            description: "Those whose outcome nobody asked for before they were found in a block",
          }),
          loss_bps: OrNull(Loss),
          next_block_loss_bps: OrNull(Loss),
        },
        {
          description:
            "Quotes found on the chain by the hash of their calldata, each transaction once: clients asked for the outcome, or blocks are read (READ_BLOCKS). Losses are those of tokens that a list names, since others may log any amount",
        },
      ),
      blocks: Type.Object(
        { read: Type.Integer(), skipped: Type.Integer(), newest: OrNull(Type.Integer()) },
        {
          description:
            "Blocks whose transactions were read, 8 blocks later (READ_BLOCKS); skipped: left out because too many waited",
        },
      ),
      pairs: Type.Array(
        Type.Object({
          token_in: Type.String(),
          token_out: Type.String(),
          samples: Type.Integer(),
          drift_bps: OrNull(
            Type.Number({
              description:
                "Loss within ten seconds that one measurement in fifty is above; null before there are enough",
            }),
          ),
        }),
        {
          description:
            "Pairs that the service quotes of its own accord: suggested_slippage follows their drift",
        },
      ),
    }),
    ...failureResponses,
  },
};

/** GET /v1/{chainID}/accuracy */
export function accuracyRoute(app: App, { deps }: Context): void {
  app.get("/v1/:chainID/accuracy", checked(schema), async ({ params }) => {
    const { chain } = servedChain(deps, Number(params.chainID));
    return present(deps.accuracy!.report(chain.id));
  });
}

function present({ sameState, replays, executed, blocks, pairs }: AccuracyReport) {
  const { reference, callers, unvetted } = sameState;
  return {
    same_state: {
      reference: presentRuns(reference),
      callers: presentRuns(callers),
      executed: presentRuns(sameState.executed),
      unvetted: presentRuns(unvetted),
    },
    replayed: replays.map(({ source, pairClass, horizon, count, unfilled, loss }) => ({
      ...{ source, horizon, count, unfilled },
      pair_class: pairClass,
      loss_bps: presentLoss(loss),
    })),
    executed: presentExecuted(executed),
    blocks: { ...blocks, newest: blocks.newest ?? null },
    pairs: pairs.map(({ tokenIn, tokenOut, samples, driftBps }) => ({
      token_in: tokenIn,
      token_out: tokenOut,
      samples,
      drift_bps: driftBps ?? null,
    })),
  };
}

function presentExecuted({ found, loss, nextBlockLoss, ...counts }: AccuracyReport["executed"]) {
  return {
    ...counts,
    found_in_blocks: found,
    loss_bps: loss === undefined ? null : presentLoss(loss),
    next_block_loss_bps: nextBlockLoss === undefined ? null : presentLoss(nextBlockLoss),
  };
}

function presentRuns({ mostBps, ...runs }: SameState) {
  return { ...runs, max_error_bps: mostBps };
}

function presentLoss({ most, ...loss }: Summary) {
  return { ...loss, max: most };
}
