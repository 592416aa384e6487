/** Types of the part of d3-sankey that is used; the package has none. */
declare module "d3-sankey" {
  export type SankeyNode = { x0: number; x1: number; y0: number; y1: number; depth: number };
  export type SankeyLink<N> = {
    source: N & SankeyNode;
    target: N & SankeyNode;
    width: number;
    y0: number;
    y1: number;
  };
  type Input<N, L> = { nodes: N[]; links: (L & { source: string; target: string; value: number })[] };
  type Output<N, L> = {
    nodes: (N & SankeyNode)[];
    links: (Omit<L, "source" | "target"> & SankeyLink<N>)[];
  };
  export interface Sankey<N, L> {
    (input: Input<N, L>): Output<N, L>;
    nodeId(id: (node: N) => string): this;
    nodeAlign(align: unknown): this;
    nodeWidth(width: number): this;
    nodePadding(padding: number): this;
    extent(extent: readonly [readonly [number, number], readonly [number, number]]): this;
    iterations(count: number): this;
  }
  export function sankey<N, L>(): Sankey<N, L>;
  export const sankeyLeft: unknown;
}
