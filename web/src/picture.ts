import { type SankeyNode, sankey, sankeyLeft } from "d3-sankey";
import type { Knot, Leg, Strand, Strands } from "./strands.ts";

/** How much a label says: pool, share and amounts; pool and share; or a number that the list below explains. */
export type Density = "full" | "line" | "number";

export type PlacedKnot = {
  readonly knot: Knot;
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
};

/** The strokes of one strand, from knot to knot. */
export type PlacedThread = { readonly leg: Leg; readonly path: string; readonly width: number };

/** Where a strand's label is centred. */
export type PlacedTag = { readonly leg: Leg; readonly x: number; readonly y: number };

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly density: Density;
  readonly tag: { readonly width: number; readonly height: number };
  readonly knots: readonly PlacedKnot[];
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
/** Room above the first bar for the name of its token. */
const HEADROOM = { full: 38, line: 22, number: 22 } as const;
const CROWDED = 8;
const THINNEST = 1.5;

/** A knot, or a place between two knots that a strand passes; `tag` = its label goes here. */
type Place = {
  readonly id: string;
  readonly column: number;
  readonly knot?: Knot;
  readonly strand?: Strand;
  readonly tag: boolean;
};
type Placed = Place & SankeyNode;
type Segment = { readonly strand: Strand };

/**
 * Lays a route out from left to right: knots in every second column, and between them the places of the pools, each
 * with room of its own, so that parallel pools spread like the strands of a braid and labels never collide.
 *
 * @param width in CSS pixels; decides how much the labels say
 * @returns undefined where there is nothing to draw
 */
export function layOut(route: Strands, width: number): Picture | undefined {
  if (route.strands.length === 0) return undefined;
  const columns = columnsOf(route);
  const { places, segments } = weave(route, columns);
  const crowd = crowdOf(places);
  const density = densityFor(width, Math.max(...columns.values()) + 1, crowd.tags);

  const padding = TAGS[density].height + GAP;
  const flow = Math.min(150, 66 + 14 * crowd.tags);
  const bottom = HEADROOM[density] + flow + (crowd.all - 1) * padding;
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
    knots: laid.nodes.flatMap((n) => (n.knot ? [{ knot: n.knot, x: n.x0, y0: n.y0, y1: n.y1 }] : [])),
    threads: route.strands.map((strand) =>
      thread(
        strand,
        laid.links.filter((link) => link.strand === strand),
      ),
    ),
    tags: laid.nodes.flatMap((n) => (n.tag && n.strand ? [{ leg: n.strand.leg, ...middle(n) }] : [])),
  };
}

/** Column of every knot: twice the longest way to it. */
function columnsOf({ knots, strands }: Strands): ReadonlyMap<string, number> {
  const columns = new Map(knots.map((knot) => [knot.id, 0]));
  for (let round = 0; round < knots.length; round += 1) {
    for (const { from, to } of strands) {
      columns.set(to, Math.max(columns.get(to) ?? 0, (columns.get(from) ?? 0) + 2));
    }
  }
  return columns;
}

/** Knots, places between them in every column that a strand crosses, and the segments that join them. */
function weave(route: Strands, columns: ReadonlyMap<string, number>) {
  const joined = new Set(route.strands.flatMap((strand) => [strand.from, strand.to]));
  const columnOf = (id: string) => columns.get(id) ?? 0;
  const places: Place[] = route.knots
    .filter((knot) => joined.has(knot.id))
    .map((knot) => ({ id: knot.id, column: columnOf(knot.id), knot, tag: false }));
  const segments: (Segment & { source: string; target: string; value: number })[] = [];
  const tagged = new Map<number, number>();

  route.strands.forEach((strand, index) => {
    const value = Math.max(strand.share, 1e-9);
    const [first, last] = [columnOf(strand.from) + 1, columnOf(strand.to) - 1];
    const tagColumn = leastTagged(first, last, tagged);
    let source = strand.from;
    for (let column = first; column <= last; column += 1) {
      const id = `${index}@${column}`;
      places.push({ id, column, strand, tag: column === tagColumn });
      segments.push({ strand, source, target: id, value });
      source = id;
    }
    segments.push({ strand, source, target: strand.to, value });
  });
  return { places, segments };
}

/** A strand that passes several columns is labelled where there are the fewest labels yet. */
function leastTagged(first: number, last: number, tagged: Map<number, number>): number {
  let best = first;
  for (let column = first; column <= last; column += 2) {
    if ((tagged.get(column) ?? 0) < (tagged.get(best) ?? 0)) best = column;
  }
  tagged.set(best, (tagged.get(best) ?? 0) + 1);
  return best;
}

/** The most places, and the most labels, that share a column. */
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

/** Segments are in order from knot to knot; each bends, and runs straight across the place that it reaches. */
function thread(strand: Strand, segments: readonly LaidSegment[]): PlacedThread {
  const path = segments.map(({ source, target, y0, y1 }, index) => {
    const [from, to] = [source.x1, target.x0];
    const bend = (from + to) / 2;
    const start = index === 0 ? `M${at(from, y0)}` : `L${at(from, y0)}`;
    return `${start}C${at(bend, y0)} ${at(bend, y1)} ${at(to, y1)}`;
  });
  return { leg: strand.leg, path: path.join(""), width: Math.max(THINNEST, segments[0]?.width ?? 0) };
}

function at(x: number, y: number): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}
