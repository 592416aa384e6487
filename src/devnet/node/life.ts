import type { DevnetPlan } from "../plan/plan.ts";
import { keepSaving } from "../saving.ts";
import { saveState } from "../state.ts";
import { sendTraffic } from "../traffic.ts";
import type { Anvil } from "./anvil.ts";
import { keepMining } from "./mining.ts";
import { keepPulse } from "./pulse.ts";

type LifeOptions = {
  /** Whether blocks are mined automatically. */
  readonly mining: boolean;
  readonly blockTimeMs: number;
  readonly traffic: boolean;
  readonly stateFile: string | undefined;
  /** Logs what fails. */
  readonly warn: (line: string, facts?: object) => void;
};

type Life = {
  /** Resolves with the reason if the node ends without `stop`; otherwise never. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
};

const NOT_SAVED =
  "was not saved: after a restart it goes on from the last save, or is built anew where there is none";

/** Logs a failure that may repeat several times a second: the first time, and whenever their number has doubled. */
function complaint(what: string, warn: LifeOptions["warn"]): (error: unknown) => void {
  let times = 0;
  return (error) => {
    times += 1;
    if (Number.isInteger(Math.log2(times))) warn(`The devnet ${what}.`, { error: String(error), times });
  };
}

/**
 * Runs the background work of a chain until it is stopped or its node ends: mining, a minimum base fee, trades and
 * saves.
 *
 * `stop` saves the chain a last time and ends the node. A second call has no effect.
 */
export function keepAlive(anvil: Anvil, plan: DevnetPlan, options: LifeOptions): Life {
  const { rpc } = anvil;
  const { mining, blockTimeMs, traffic, stateFile, warn } = options;
  const complain = (what: string) => complaint(what, warn);
  const life = new AbortController();
  const { signal } = life;
  const lost = new Promise<string>((resolve) => {
    anvil.ended.then((reason) => {
      if (!signal.aborted) {
        warn("The devnet's node is gone.", { reason });
        resolve(reason);
      }
      life.abort();
    });
  });

  const work: Promise<void>[] = [];
  if (stateFile !== undefined) {
    work.push(keepSaving(rpc, stateFile, { signal, onError: complain(NOT_SAVED) }));
  }
  if (mining) {
    const onHead = (head: number) => (traffic ? sendTraffic(rpc, plan.venues, head + 1) : Promise.resolve());
    work.push(keepPulse({ rpc, blockTimeMs, onHead, onError: complain("does not answer"), signal }));
    work.push(keepMining({ rpc, blockTimeMs, onError: complain("does not mine"), signal }));
  }
  return {
    lost,
    stop: async () => {
      const alive = !signal.aborted;
      life.abort();
      await Promise.all(work);
      if (stateFile !== undefined && alive) {
        await saveState(rpc, stateFile).catch(complain(NOT_SAVED));
      }
      await anvil.kill();
    },
  };
}
