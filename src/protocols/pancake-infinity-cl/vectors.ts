import { CONCENTRATED_FIELDS, concentratedOf, concentratedTrial } from "../concentrated-vectors.ts";
import { unhooked } from "../infinity-vectors.ts";
import { swapFee } from "../pool-manager.ts";
import { integer, understood, type VectorSuite } from "../swapvec.ts";

export const suite: VectorSuite = {
  names: ["pancake-infinity-cl"],
  open(vector) {
    const needed = ["fee", "protocolFee", ...CONCENTRATED_FIELDS];
    const state = understood(vector.state, needed, ["hooks", "ticksComplete"]);
    unhooked(state.hooks);
    const { zeroForOne, oneForZero } = understood(state.protocolFee, ["zeroForOne", "oneForZero"]);
    const [down, up] = [zeroForOne, oneForZero].map((fee) => Number(integer(fee)));
    const pool = concentratedOf(state, state.fee);
    return concentratedTrial(vector, pool, (selling0) => swapFee(selling0 ? down! : up!, pool.feePpm));
  },
};
