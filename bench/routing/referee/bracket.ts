import type { Board, Edge } from "../orders/board.ts";
import { spotValues } from "../orders/board.ts";
import { gainOf } from "../proof/dual.ts";
import { type Piece, pieceOf } from "./pieces.ts";
import type { Program, Term } from "./program.ts";

/** An order as the referee is asked it; nodes of the board. */
export type RefereedOrder = {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly maxLegs: number;
  /** Units of the token bought that a unit of gas costs. */
  readonly gasOut: number;
  /** What some route is known to net, in smallest units of the token bought. */
  readonly known?: number;
};

/** The best net of the gas of the legs, between two programs; in smallest units of the token bought. */
export type Bracket = {
  /** No route nets more. */
  readonly outer: number;
  /** Flows that the pools can carry net this. */
  readonly inner: number;
  /** What those flows bring before gas. */
  readonly innerGross: number;
  readonly flows: readonly { readonly edge: Edge; readonly amount: number }[];
  /** (outer - inner) in basis points of what the order is worth. */
  readonly widthBp: number;
  readonly edges: number;
  readonly rounds: number;
};

/** Narrow enough to say which of two answers is better, in basis points. */
export const WIDTH_BP = 0.01;
/** What the order is worth in the programs. */
const WORTH = 1000;
const PRECISION = 1e-8;
/** Width of a bracket that is narrow enough, in worth. */
const WIDTH = (WORTH * WIDTH_BP) / 1e4;
const MOST_ROUNDS = 40;
/** What the solver's tolerances may add. */
const SLACK = 1e-10;

type Model = {
  readonly order: RefereedOrder;
  readonly pieces: readonly Piece[];
  readonly nodes: number;
  /** Worth of a unit of gas. */
  readonly gas: number;
};

/** Directions that a route without circles can use: out of the token sold, into the one bought. */
export function usableEdges({ edges }: Board, { from, to }: Pick<RefereedOrder, "from" | "to">): Edge[] {
  return edges.filter(({ tail, head }) => head !== from && tail !== to);
}

/**
 * Brackets the best net over all flows of at most `maxLegs` crossings by two mixed-integer programs: in the outer one each curve lies
 * below its tangents, in the inner one on the chords between its points. Both get finer where they last went.
 *
 *   max Σ bought(→ to) - gas·(Σ θ·z + ticks)    Σ sold(n →) ≤ Σ bought(→ n),   sold ≤ most·z,   Σ z ≤ maxLegs,   z ∈ {0, 1}
 *
 * A flow without circles never holds more worth of a token than the order at any prices, and what all pools together earn at these: the most
 * that an edge is sold. Pools of two tokens only; of more, curves of single pairs say too much and too little.
 *
 * @source Duran and Grossmann, An outer-approximation algorithm for a class of mixed-integer nonlinear programs (1986)
 */
export function bracket(newProgram: () => Program, board: Board, order: RefereedOrder): Bracket {
  const model = modelOf(board, order);
  const known = ((order.known ?? 0) / unitOf(board, order)) * (1 - SLACK);
  let outer = Number.POSITIVE_INFINITY;
  let inner: Inner | undefined;
  let rounds = 0;
  const width = () => outer - (inner?.value ?? 0);
  for (; rounds < MOST_ROUNDS && !(inner !== undefined && width() <= WIDTH / 2); rounds++) {
    const above = solveOuter(newProgram(), model, Math.max(known, inner?.value ?? 0));
    if (above === undefined) break;
    // Each program is tighter than the one before, so the last bound is the best one.
    outer = above.bound + WORTH * SLACK;
    for (const [e, piece] of model.pieces.entries()) piece.refine(above.sold[e]!);
    const below = solveInner(newProgram(), model, above);
    if (below === undefined) break;
    for (const [e, piece] of model.pieces.entries()) piece.refine(below.sold[e]!);
    if (inner === undefined || below.value > inner.value) inner = below;
  }
  return resultOf(board, model, { outer, inner: inner ?? nothing(model), rounds });
}

function modelOf(board: Board, order: RefereedOrder): Model {
  const { from, to, amount, gasOut } = order;
  const price = spotValues(board, to);
  const unit = WORTH / (price[from]! * amount);
  const usable = usableEdges(board, order).filter(({ tail, head }) => price[tail]! > 0 && price[head]! > 0);
  const held = WORTH + usable.reduce((sum, edge) => sum + gainOf(edge, price), 0) * unit;
  const pieces = usable.map((edge) => {
    const { tail, head } = edge;
    const most = tail === from ? WORTH : held;
    const scale = { sell: price[tail]! * unit, buy: price[head]! * unit, most, precision: WORTH * PRECISION };
    return pieceOf(board, edge, scale);
  });
  return { order, pieces, nodes: board.tokens.length, gas: gasOut * unit };
}

/** Smallest units of the token bought that one of worth is. */
function unitOf(board: Board, { from, to, amount }: RefereedOrder): number {
  return (spotValues(board, to)[from]! * amount) / WORTH;
}

type Crossed = { readonly used: readonly boolean[]; readonly ticks: readonly number[] };
type Outer = Crossed & { readonly bound: number; readonly sold: readonly number[] };

type Columns = { readonly sold: number; readonly bought: number };

function solveOuter(
  program: Program,
  { order, pieces, nodes, gas }: Model,
  least: number,
): Outer | undefined {
  const columns = pieces.map((piece) => {
    const sold = program.column({ most: piece.most });
    const bought = program.column({
      most: Number.POSITIVE_INFINITY,
      gain: piece.edge.head === order.to ? 1 : 0,
    });
    const used = program.column({ most: 1, isWhole: true, gain: -piece.gas * gas });
    const ticks = piece.ticks.map((tick) =>
      program.column({ most: 1, isWhole: true, gain: -tick.gas * gas }),
    );
    const ends = [...piece.ticks.map(({ from }) => from), piece.most];
    program.atMost(0, [
      [1, sold],
      [-ends[0]!, used],
      ...ticks.map((tick, k): Term => [ends[k]! - ends[k + 1]!, tick]),
    ]);
    for (const [k, tick] of ticks.entries()) {
      program.atMost(0, [
        [1, tick],
        [-1, ticks[k - 1] ?? used],
      ]);
    }
    for (const { slope, height } of piece.tangents) {
      program.atMost(0, [
        [1, bought],
        [-slope, sold],
        [-height, used],
      ]);
    }
    return { sold, bought, used, ticks };
  });
  program.atMost(
    order.maxLegs,
    columns.map(({ used }) => [1, used]),
  );
  balance(program, { order, pieces, nodes }, (e) => ({
    bought: [[1, columns[e]!.bought]],
    sold: [[1, columns[e]!.sold]],
  }));
  const solved = program.solve(least);
  return (
    solved && {
      bound: solved.bound,
      sold: columns.map(({ sold }) => solved.columns[sold]!),
      used: columns.map(({ used }) => solved.columns[used]! > 0.5),
      ticks: columns.map(({ ticks }) => ticks.filter((tick) => solved.columns[tick]! > 0.5).length),
    }
  );
}

type Flows = (e: number) => Record<keyof Columns, Term[]>;

/** No token is sold that was not bought; of the order's own there is what it sells. */
function balance(program: Program, { order, pieces, nodes }: Omit<Model, "gas">, flows: Flows): void {
  for (let node = 0; node < nodes; node++) {
    if (node === order.to) continue;
    const terms = pieces.flatMap(({ edge }, e) => {
      if (edge.tail === node) return flows(e).sold;
      return edge.head === node ? flows(e).bought.map(([factor, column]): Term => [-factor, column]) : [];
    });
    if (terms.length > 0) program.atMost(node === order.from ? WORTH : 0, terms);
  }
}

type Inner = Crossed & { readonly value: number; readonly gross: number; readonly sold: readonly number[] };

/** Where the solver finds no flows: the bracket is too wide then to say anything. */
function nothing({ pieces }: Model): Inner {
  const none = pieces.map(() => 0);
  return {
    value: Number.NEGATIVE_INFINITY,
    gross: 0,
    sold: none,
    used: pieces.map(() => false),
    ticks: none,
  };
}

/** The best over the edges and ticks that the outer program crosses; a linear program. */
function solveInner(
  program: Program,
  { order, pieces, nodes, gas }: Model,
  { used, ticks }: Crossed,
): Inner | undefined {
  const weights = pieces.map((piece, e) => {
    const end = piece.ticks[ticks[e]!]?.from ?? piece.priced;
    const points = used[e] ? piece.points.filter(({ sold }) => sold <= end) : [];
    const columns = points.map((point) => ({
      point,
      column: program.column({ most: 1, gain: piece.edge.head === order.to ? point.bought : 0 }),
    }));
    if (columns.length > 0) {
      program.atMost(
        1,
        columns.map(({ column }) => [1, column]),
      );
    }
    return columns;
  });
  balance(program, { order, pieces, nodes }, (e) => ({
    bought: weights[e]!.map(({ point, column }) => [point.bought, column]),
    sold: weights[e]!.map(({ point, column }) => [point.sold, column]),
  }));
  const solved = program.solve();
  if (solved === undefined) return undefined;
  const { value: gross, columns } = solved;
  const cost = pieces.reduce((sum, piece, e) => sum + (used[e] ? gasOf(piece, ticks[e]!) : 0), 0) * gas;
  const sold = weights.map((list) =>
    list.reduce((sum, { point, column }) => sum + point.sold * columns[column]!, 0),
  );
  return { value: gross - cost - WORTH * SLACK, gross, sold, used, ticks };
}

function gasOf({ gas, ticks }: Piece, crossed: number): number {
  return ticks.slice(0, crossed).reduce((sum, tick) => sum + tick.gas, gas);
}

type Found = { readonly outer: number; readonly inner: Inner; readonly rounds: number };

function resultOf(board: Board, { order, pieces }: Model, { outer, inner, rounds }: Found): Bracket {
  const unit = unitOf(board, order);
  return {
    outer: outer * unit,
    inner: inner.value * unit,
    innerGross: inner.gross * unit,
    flows: pieces.map(({ edge, units }, e) => ({ edge, amount: units(inner.sold[e]!) })),
    widthBp: ((outer - inner.value) / WORTH) * 1e4,
    edges: pieces.length,
    rounds,
  };
}
