import type { Deployment, Pool } from "../types.ts";

/**
 * By deployment, the gas of a crossing in thousandths of its design's figure; deployments that are absent need the figure
 * itself. Routing, bounds and estimates all count the scaled gas.
 */
export type GasScales = ReadonlyMap<string, number>;

/** The records of a chain's deployments, as far as gas is concerned. */
export type GasRecords = readonly Pick<Deployment, "id" | "gasPermille">[];

/** The scales that a chain's records state. */
export function gasScalesOf(deployments: GasRecords): GasScales {
  return new Map(deployments.flatMap(({ id, gasPermille }) => (gasPermille ? [[id, gasPermille]] : [])));
}

/** Units of gas of a crossing where the design's figure is `gas`; rounded to the nearest unit. */
export function scaledGas(scales: GasScales, { deployment }: Pick<Pool, "deployment">, gas: number): number {
  return Math.round((gas * (scales.get(deployment) ?? 1000)) / 1000);
}
