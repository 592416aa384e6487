import loadHighs, { type Highs, type ModelData, type OptionValue } from "highs";

/** Rows and columns of a mixed-integer linear program that is maximised. */
export type Program = {
  /** @returns the column's number */
  readonly column: (column: Column) => number;
  /** `terms` sum up to at most `most`. */
  readonly atMost: (most: number, terms: readonly Term[]) => void;
  /**
   * @param least what some solution is known to be worth: where the solver claims that none is, it is asked with other settings
   * @returns undefined where no settings lead to an optimum
   */
  readonly solve: (least?: number) => Solved | undefined;
};

export type Column = { readonly gain?: number; readonly most: number; readonly isWhole?: boolean };
/** A factor and the number of the column that it multiplies. */
export type Term = readonly [factor: number, column: number];

export type Solved = {
  /** No solution is worth more: the solver's dual bound. */
  readonly bound: number;
  /** What the solution found is worth. */
  readonly value: number;
  readonly columns: Float64Array;
};

/**
 * With tolerances far below what a bracket needs, this build of HiGHS now and then calls worse solutions optimal, and feasible programs
 * infeasible; presolve makes that more frequent. Other settings then give another answer, so there are some.
 */
const SETTINGS: readonly Readonly<Record<string, number | string>>[] = [
  { presolve: "off", mip_feasibility_tolerance: 1e-7 },
  { presolve: "off", mip_feasibility_tolerance: 1e-6, random_seed: 1 },
  { presolve: "on", mip_feasibility_tolerance: 1e-6, random_seed: 2 },
  { presolve: "off", mip_feasibility_tolerance: 1e-9, random_seed: 3, mip_heuristic_effort: 0 },
];
const COMMON = {
  output_flag: false,
  mip_rel_gap: 0,
  mip_abs_gap: 1e-6,
  primal_feasibility_tolerance: 1e-7,
  dual_feasibility_tolerance: 1e-7,
  time_limit: 20,
};
const OPTIMAL = 7;

/** The package's types describe a CommonJS module, whose default export Node hands out as it is. */
const load = loadHighs as unknown as typeof loadHighs.default;

/** One of the solver's instances serves all programs; loading it takes longer than most of them. */
export async function makePrograms(): Promise<() => Program> {
  const highs = await load();
  return () => program(highs);
}

function program(highs: Highs): Program {
  const columns: Column[] = [];
  const upper: number[] = [];
  const [starts, indices, values]: [number[], number[], number[]] = [[0], [], []];
  return {
    column: (column) => columns.push(column) - 1,
    atMost(most, terms) {
      for (const [factor, column] of terms) {
        if (factor === 0) continue;
        indices.push(column);
        values.push(factor);
      }
      starts.push(indices.length);
      upper.push(most);
    },
    solve(least = Number.NEGATIVE_INFINITY) {
      const [numCols, numRows] = [columns.length, upper.length];
      const isMixed = columns.some(({ isWhole }) => isWhole);
      const source = {
        numCols,
        numRows,
        sense: highs.constants.objectiveSense.maximize,
        colCost: columns.map(({ gain = 0 }) => gain),
        colLower: columns.map(() => 0),
        colUpper: columns.map(({ most }) => most),
        rowLower: upper.map(() => -highs.infinity),
        rowUpper: upper,
        matrix: { format: "csr" as const, numRows, numCols, starts, indices, values },
        ...(isMixed ? { integrality: columns.map(({ isWhole }) => (isWhole ? 1 : 0) as 0 | 1) } : {}),
      };
      let best: Solved | undefined;
      for (const settings of SETTINGS) {
        const solved = run(highs, source, { ...COMMON, ...settings });
        if (solved !== undefined && !(solved.bound <= (best?.bound ?? Number.NEGATIVE_INFINITY)))
          best = solved;
        if (best !== undefined && best.bound >= least) return best;
      }
      return best;
    },
  };
}

function run(
  highs: Highs,
  source: ModelData,
  options: Readonly<Record<string, OptionValue>>,
): Solved | undefined {
  return highs.withModel(source, (model) => {
    model.options.set(options);
    if (model.run().modelStatus !== OPTIMAL) return undefined;
    const value = Number(model.info.get("objective_function_value"));
    const bound = source.integrality === undefined ? value : Number(model.info.get("mip_dual_bound"));
    return { bound, value, columns: model.getSolution().colValue };
  });
}
