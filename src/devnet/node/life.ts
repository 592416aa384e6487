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
  readonly log: (line: string, facts?: object) => void;
};

type Life = {
  /** Resolves with the reason if the node ends without `stop`; otherwise never. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Runs the background work of a chain until it is stopped or its node ends: mining, a minimum base fee, trades and
 * saves.
 *
 * `stop` saves the chain a last time and ends the node. A second call has no effect.
 */
export function keepAlive(anvil: Anvil, plan: DevnetPlan, options: LifeOptions): Life {
  const { rpc } = anvil;
  const { mining, blockTimeMs, traffic, stateFile, log } = options;
  const complain = (what: string) => (error: unknown) => log(`The devnet ${what}.`, { error: String(error) });
  const life = new AbortController();
  const { signal } = life;
  const lost = new Promise<string>((resolve) => {
    anvil.ended.then((reason) => {
      if (!signal.aborted) {
        log("The devnet's node is gone.", { reason });
        resolve(reason);
      }
      life.abort();
    });
  });

  const work: Promise<void>[] = [];
  if (stateFile !== undefined) {
    work.push(keepSaving(rpc, stateFile, { signal, onError: complain("was not saved") }));
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
        await saveState(rpc, stateFile).catch(complain("was not saved"));
      }
      await anvil.kill();
    },
  };
}
