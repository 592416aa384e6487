import type { RouteEntry } from "../api.ts";
import { sourceName } from "./labels.ts";
import type { Paint } from "./paint.ts";

type SourcesBarProps = { readonly routes: readonly RouteEntry[]; readonly paint: Paint };

/** Shares of the exchanges, as a bar and as a list. */
export function SourcesBar({ routes, paint }: SourcesBarProps) {
  let from = 0;
  const parts = routes.map((entry) => {
    const part = { entry, from, name: sourceName(entry.protocol_name) };
    from += entry.percent;
    return part;
  });
  return (
    <div class="sources">
      <svg class="sources-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        {parts.map((part) => (
          <rect
            key={`${part.name} ${part.entry.type}`}
            class={paint(part.name)}
            x={part.from}
            y="0"
            width={Math.max(0.4, part.entry.percent - 0.3)}
            height="4"
          />
        ))}
      </svg>
      <ul class="sources-list">
        {parts.map(({ entry, name }) => (
          <li key={`${name} ${entry.type}`}>
            <svg class={`dot ${paint(name)}`} viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" />
            </svg>
            <bdi>{name}</bdi>
            {entry.type === "rfq" && <span class="badge">maker</span>}
            <strong>{entry.percent} %</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
