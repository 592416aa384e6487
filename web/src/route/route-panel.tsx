import { useMemo, useState } from "preact/hooks";
import type { Offer, RouteGraph, Token } from "../api.ts";
import { type FeedState, newestOf } from "../offer/offer-feed.ts";
import { flowsOf } from "./flows.ts";
import { tokenNamer } from "./labels.ts";
import { paintOf } from "./paint.ts";
import { RoutePicture } from "./route-picture.tsx";
import { RouteSteps } from "./route-steps.tsx";
import { SourcesBar } from "./sources-bar.tsx";

type RoutePanelProps = { readonly feed: FeedState; readonly known: ReadonlyMap<string, Token> };

/** The route of the offer: shares of the sources, a diagram, and a list of the steps. */
export function RoutePanel({ feed, known }: RoutePanelProps) {
  const offer = newestOf(feed)?.offer;
  if (offer === undefined) return null;
  return <Route offer={offer} known={known} faint={feed.kind !== "offer"} />;
}

type RouteProps = {
  readonly offer: Offer;
  readonly known: ReadonlyMap<string, Token>;
  readonly faint: boolean;
};

function Route({ offer, known, faint }: RouteProps) {
  const [active, setActive] = useState<number>();
  const graph = graphOf(offer);
  const flows = useMemo(
    () => (graph === undefined ? undefined : flowsOf(graph, offer.token_in.toLowerCase())),
    [graph, offer.token_in],
  );
  const nameOf = tokenNamer(known, graph?.tokens);
  const paint = paintOf(offer.routes);
  return (
    <section class={faint ? "card route faint" : "card route"} aria-label="Route">
      <div class="offer-head">
        <h2>Route</h2>
        <span class="route-count">{flows === undefined ? "" : countText(flows.legs.length)}</span>
      </div>
      <SourcesBar routes={offer.routes} paint={paint} />
      {flows === undefined ? (
        <p class="empty">This service does not say which pools the amount passes.</p>
      ) : (
        <>
          <RoutePicture route={flows} nameOf={nameOf} paint={paint} active={active} onActive={setActive} />
          <RouteSteps legs={flows.legs} nameOf={nameOf} paint={paint} active={active} onActive={setActive} />
        </>
      )}
    </section>
  );
}

/** The route graph; undefined where the answer has none with steps. */
function graphOf({ route_graph: graph }: Offer): RouteGraph | undefined {
  return Array.isArray(graph?.steps) && graph.steps.length > 0 ? graph : undefined;
}

function countText(count: number): string {
  return count === 1 ? "1 pool" : `${count} steps`;
}
