import { clankerStatic, clankerStaticV2 } from "./clanker.ts";
import { dopplerDecay, dopplerMulticurve, dopplerScheduled } from "./doppler.ts";
import type { HookFamily } from "./family.ts";
import { zoraCoin } from "./zora.ts";

/** The covered hooks by the names that records use. */
export const families: ReadonlyMap<string, HookFamily> = new Map([
  ["clanker-static", clankerStatic],
  ["clanker-static-v2", clankerStaticV2],
  ["doppler-decay", dopplerDecay],
  ["doppler-multicurve", dopplerMulticurve],
  ["doppler-scheduled", dopplerScheduled],
  ["zora-coin", zoraCoin],
]);
