import Type from "typebox";
import type { MakerHealth } from "../../service/ports/ports-makers.ts";
import { OrNull } from "../schemas/or-null.ts";

/** The state of a market maker in operator endpoints. */
export const Maker = Type.Object({
  name: Type.String(),
  phase: Type.String({ examples: ["live", "silent", "blocked"] }),
  pairs: Type.Integer({ description: "Pairs that it prices now" }),
  orders: Type.Record(Type.String(), Type.Integer(), {
    description: "Orders asked for, by outcome; all but `given` and `unchecked` are fades",
  }),
  fade_rate: Type.Number({
    description: "Smoothed share of fades in the last hour; above 0.12 it is blocked",
  }),
  blocked_for_ms: Type.Integer(),
  trouble: OrNull(
    Type.String({
      description: "Why its newest levels were not taken, or which of them cannot be used",
    }),
  ),
});

export function presentMaker({ fadeRate, blockedForMs, trouble, orders, ...maker }: MakerHealth) {
  const told = { fade_rate: fadeRate, blocked_for_ms: blockedForMs, trouble: trouble ?? null };
  return { ...maker, orders: { ...orders }, ...told };
}
