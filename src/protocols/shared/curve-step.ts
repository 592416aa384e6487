import { packedUint } from "../../core/abi.ts";
import { curveVariants, stepKinds } from "../../core/encoding/kinds.ts";
import type { StepCode } from "../../core/protocol.ts";
import type { Pool } from "../../core/types.ts";

/** The step for a Curve pool whose `exchange` takes coin indexes as uint256. */
export function uint256CurveStep(pool: Pool, _state: unknown, i: number, j: number): StepCode {
  const byte = (value: number) => packedUint(value, 1).slice(2);
  return {
    kind: stepKinds.curve,
    target: pool.address,
    zeroForOne: i === 0,
    extra: `0x${byte(i)}${byte(j)}${byte(curveVariants.uint256Indexes)}`,
    intake: "approval",
    paysAnyone: false,
  };
}
