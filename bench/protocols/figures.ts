import type { Protocol } from "../../src/core/protocol.ts";
import { compile } from "../../src/core/routing/curves/compile.ts";
import { emptyCurves, outputAt, putCurve } from "../../src/core/routing/curves/segments.ts";
import type { Case } from "./cases.ts";
import type { Loop } from "./clock.ts";

/** The calls over the cases; each figure has a loop of its own, so that none is slowed by another's calls. */

export function exactLoop(protocol: Protocol, cases: readonly Case[]): Loop {
  return {
    count: cases.length,
    run: () => {
      let gas = 0;
      for (const { subject, i, j, exact } of cases)
        gas += protocol.quote(subject.states, subject.pool, i, j, exact, "in", subject.at)!.gas;
      return gas;
    },
  };
}

export function doubleLoop(protocol: Protocol, cases: readonly Case[]): Loop {
  return {
    count: cases.length,
    run: () => {
      let sum = 0;
      for (const { mirror, i, j, float } of cases) sum += protocol.quoteFloat(mirror, i, j, float);
      return sum;
    },
  };
}

export function mirrorLoop(protocol: Protocol, cases: readonly Case[]): Loop {
  return {
    count: cases.length,
    run: () => {
      let built = 0;
      for (const { subject } of cases) {
        const state = subject.states.get(subject.pool.stateIds[0]);
        if (protocol.mirror(state, subject.pool, subject.at, subject.states) !== undefined) built++;
      }
      return built;
    },
  };
}

/** The direction compiled from its mirror, as the engine does once a change. */
export function compileLoop(protocol: Protocol, cases: readonly Case[]): Loop {
  return {
    count: cases.length,
    run: () => {
      let segments = 0;
      for (const { mirror, i, j } of cases) segments += compile(protocol, mirror, i, j)?.x.length ?? 0;
      return segments;
    },
  };
}

/** One amount asked of the compiled curve: what the search does all the time. */
export function curveLoop(protocol: Protocol, cases: readonly Case[]): Loop {
  const curves = emptyCurves();
  cases.forEach(({ mirror, i, j }, edge) => {
    putCurve(curves, edge, compile(protocol, mirror, i, j));
  });
  const amounts = Float64Array.from(cases, ({ float }) => float);
  return {
    count: amounts.length,
    run: () => {
      let sum = 0;
      for (let edge = 0; edge < amounts.length; edge++)
        sum += Math.max(0, outputAt(curves, edge, amounts[edge]!));
      return sum;
    },
  };
}
