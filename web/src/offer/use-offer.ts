import { useEffect, useRef, useState } from "preact/hooks";
import { fetchOffer, type PriceRequest, pricePath } from "../api.ts";
import { createFeed, type Feed, type FeedState, pauseBefore, stateFor } from "./offer-feed.ts";

/** The newest offer for a request, refreshed every `refreshMs` while the page is visible. */
export function useOffer(request: PriceRequest | undefined, refreshMs: number): FeedState {
  const everyMs = useRef(refreshMs);
  everyMs.current = refreshMs;
  const [state, show] = useState<FeedState>({ kind: "idle" });
  const feed = useRef<Feed>(undefined);
  feed.current ??= createFeed({
    load: fetchOffer,
    show,
    refreshMs: () => everyMs.current,
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
  // The effect depends on the key, since equal requests are new objects on every render.
  const before = useRef<PriceRequest>(undefined);
  useEffect(() => {
    feed.current?.follow(request, pauseBefore(before.current, request));
    before.current = request;
  }, [key]);
  return stateFor(state, request);
}
