import { type SankeyNode, sankey, sankeyLeft } from "d3-sankey";
import type { Flow, Flows, Leg, TokenNode } from "./flows.ts";

/** Detail of the labels: pool, share and amounts; pool and share; or the number of the step in the list. */
export type Density = "full" | "line" | "number";

export type PlacedNode = {
  readonly node: TokenNode;
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
};

/** The SVG path of one flow between two nodes. */
export type PlacedThread = { readonly leg: Leg; readonly path: string; readonly width: number };

/** Centre of a flow's label. */
export type PlacedTag = { readonly leg: Leg; readonly x: number; readonly y: number };

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly density: Density;
  readonly tag: { readonly width: number; readonly height: number };
  readonly nodes: readonly PlacedNode[];
  readonly threads: readonly PlacedThread[];
  readonly tags: readonly PlacedTag[];
};

export const BAR = 8;
const TAGS = {
  full: { width: 200, height: 40 },
  line: { width: 194, height: 22 },
  number: { width: 20, height: 20 },
} as const;
const GAP = 6;
/** Space above the first bar for the name of its token, in CSS pixels. */
const HEADROOM = { full: 38, line: 22, number: 22 } as const;
const CROWDED = 8;
const THINNEST = 1.5;

/** A node, or a dummy node that a flow passes in a column; `tag` = the flow's label is placed here. */
type Place = {
  readonly id: string;
  readonly column: number;
  readonly node?: TokenNode;
  readonly flow?: Flow;
  readonly tag: boolean;
};
type Placed = Place & SankeyNode;
type Segment = { readonly flow: Flow };

/**
 * Lays a route out from left to right as a layered Sankey diagram: tokens in every second column, and dummy nodes of
 * the flows between them, which space out parallel pools so that their labels do not overlap.
 *
 * @param width in CSS pixels; determines the detail of the labels
 * @returns undefined for a route without flows
 */
export function layOut(route: Flows, width: number): Picture | undefined {
  if (route.flows.length === 0) return undefined;
  const columns = columnsOf(route);
  const { places, segments } = weave(route, columns);
  const crowd = crowdOf(places);
  const density = densityFor(width, Math.max(...columns.values()) + 1, crowd.tags);

  const padding = TAGS[density].height + GAP;
  const flowHeight = Math.min(150, 66 + 14 * crowd.tags);
  const bottom = HEADROOM[density] + flowHeight + (crowd.all - 1) * padding;
  const laid = sankey<Place, Segment>()
    .nodeId((place) => place.id)
    .nodeAlign(sankeyLeft)
    .nodeWidth(BAR)
    .nodePadding(padding)
    .iterations(24)
    .extent([
      [1, HEADROOM[density]],
      [width - 1, bottom],
    ])({ nodes: places, links: segments });

  return {
    width,
    height: bottom + TAGS[density].height / 2 + 2,
    density,
    tag: TAGS[density],
    nodes: laid.nodes.flatMap((n) => (n.node ? [{ node: n.node, x: n.x0, y0: n.y0, y1: n.y1 }] : [])),
    threads: route.flows.map((flow) =>
      thread(
        flow,
        laid.links.filter((link) => link.flow === flow),
      ),
    ),
    tags: laid.nodes.flatMap((n) => (n.tag && n.flow ? [{ leg: n.flow.leg, ...middle(n) }] : [])),
  };
}

/** Column of every node: twice the length of the longest path to it. */
function columnsOf({ nodes, flows }: Flows): ReadonlyMap<string, number> {
  const columns = new Map(nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < nodes.length; round += 1) {
    for (const { from, to } of flows) {
      columns.set(to, Math.max(columns.get(to) ?? 0, (columns.get(from) ?? 0) + 2));
    }
  }
  return columns;
}

/** Nodes, dummy nodes in every column that a flow crosses, and the segments between them. */
function weave(route: Flows, columns: ReadonlyMap<string, number>) {
  const joined = new Set(route.flows.flatMap((flow) => [flow.from, flow.to]));
  const columnOf = (id: string) => columns.get(id) ?? 0;
  const places: Place[] = route.nodes
    .filter((node) => joined.has(node.id))
    .map((node) => ({ id: node.id, column: columnOf(node.id), node, tag: false }));
  const segments: (Segment & { source: string; target: string; value: number })[] = [];
  const tagged = new Map<number, number>();

  route.flows.forEach((flow, index) => {
    const value = Math.max(flow.share, 1e-9);
    const [first, last] = [columnOf(flow.from) + 1, columnOf(flow.to) - 1];
    const tagColumn = leastTagged(first, last, tagged);
    let source = flow.from;
    for (let column = first; column <= last; column += 1) {
      const id = `${index}@${column}`;
      places.push({ id, column, flow, tag: column === tagColumn });
      segments.push({ flow, source, target: id, value });
      source = id;
    }
    segments.push({ flow, source, target: flow.to, value });
  });
  return { places, segments };
}

/** Chooses the column of a flow's label: among those it crosses, the one with the fewest labels so far. */
function leastTagged(first: number, last: number, tagged: Map<number, number>): number {
  let best = first;
  for (let column = first; column <= last; column += 2) {
    if ((tagged.get(column) ?? 0) < (tagged.get(best) ?? 0)) best = column;
  }
  tagged.set(best, (tagged.get(best) ?? 0) + 1);
  return best;
}

/** The largest number of places, and of labels, in one column. */
function crowdOf(places: readonly Place[]) {
  const most = (chosen: readonly Place[]) => {
    const counts = new Map<number, number>();
    for (const { column } of chosen) counts.set(column, (counts.get(column) ?? 0) + 1);
    return Math.max(1, ...counts.values());
  };
  return { all: most(places), tags: most(places.filter((place) => place.tag)) };
}

function densityFor(width: number, columns: number, tagsInColumn: number): Density {
  const pitch = (2 * width) / (columns - 1);
  const fits = (density: Density) => pitch >= TAGS[density].width + 56;
  if (fits("full") && tagsInColumn <= CROWDED) return "full";
  return fits("line") ? "line" : "number";
}

function middle(place: Placed): { x: number; y: number } {
  return { x: (place.x0 + place.x1) / 2, y: (place.y0 + place.y1) / 2 };
}

type LaidSegment = { source: Placed; target: Placed; width: number; y0: number; y1: number };

/** Joins the segments of a flow, in order, to one path of Bézier curves and straight lines across the dummy nodes. */
function thread(flow: Flow, segments: readonly LaidSegment[]): PlacedThread {
  const path = segments.map(({ source, target, y0, y1 }, index) => {
    const [from, to] = [source.x1, target.x0];
    const bend = (from + to) / 2;
    const start = index === 0 ? `M${at(from, y0)}` : `L${at(from, y0)}`;
    return `${start}C${at(bend, y0)} ${at(bend, y1)} ${at(to, y1)}`;
  });
  return { leg: flow.leg, path: path.join(""), width: Math.max(THINNEST, segments[0]?.width ?? 0) };
}

function at(x: number, y: number): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}
