import {
  CONCENTRATED_FIELDS,
  concentratedOf,
  concentratedTrial,
} from "../shared/concentrated/concentrated-vectors.ts";
import { type Fields, integer, list, understood, type VectorSuite } from "../swapvec.ts";

/** One record lists its ticks twice, identically. */
function once(ticks: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string>();
  return ticks.filter((tick) => {
    const text = JSON.stringify(tick);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

export const suite: VectorSuite = {
  names: ["algebra-v1", "algebra-integral"],
  open(vector) {
    const fields: Fields = understood(vector.state, ["feeZeroToOne", "feeOneToZero", ...CONCENTRATED_FIELDS]);
    const state = { ...fields, ticks: once(list(fields.ticks)) };
    const [down, up] = [fields.feeZeroToOne, fields.feeOneToZero].map((fee) => Number(integer(fee)));
    const listed = concentratedOf(state, fields.feeZeroToOne);
    const pool = vector.protocol === "algebra-integral" ? { ...listed, linked: true } : listed;
    return concentratedTrial(vector, pool, (zeroForOne) => (zeroForOne ? down! : up!));
  },
};
