import { unhooked } from "../shared/pool-managers/infinity-vectors.ts";
import { MANAGED_FIELDS, managedTrial } from "../shared/pool-managers/pool-manager-vectors.ts";
import { understood, type VectorSuite } from "../swapvec.ts";

export const suite: VectorSuite = {
  names: ["pancake-infinity-cl"],
  open(vector) {
    const state = understood(vector.state, MANAGED_FIELDS, ["hooks", "ticksComplete"]);
    unhooked(state.hooks);
    return managedTrial(vector, state);
  },
};
