import { useEffect, useRef, useState } from "preact/hooks";
import { fetchOffer, type PriceRequest, pricePath } from "./api.ts";
import { createFeed, type Feed, type FeedState, stateFor } from "./offer-feed.ts";

const REFRESH_MS = 4000;
const TYPING_PAUSE_MS = 250;

/** The newest offer for a request; refreshed while the page is looked at. */
export function useOffer(request: PriceRequest | undefined): FeedState {
  const [state, show] = useState<FeedState>({ kind: "idle" });
  const feed = useRef<Feed>(undefined);
  feed.current ??= createFeed({
    load: fetchOffer,
    show,
    refreshMs: REFRESH_MS,
    asleep: () => document.hidden,
  });

  useEffect(() => {
    const wake = () => feed.current?.wake();
    document.addEventListener("visibilitychange", wake);
    return () => {
      document.removeEventListener("visibilitychange", wake);
      feed.current?.stop();
    };
  }, []);

  const key = request === undefined ? undefined : pricePath(request);
  // By the key, not the request: equal requests are new objects on every render.
  useEffect(() => feed.current?.follow(request, TYPING_PAUSE_MS), [key]);
  return stateFor(state, request);
}
