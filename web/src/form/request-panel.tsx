import { type PriceRequest, pricePath } from "../api.ts";
import { CopyButton } from "../copy-button.tsx";

/** The current request as a curl command to copy. */
export function RequestPanel({ request }: { readonly request: PriceRequest | undefined }) {
  if (request === undefined) return null;
  const command = `curl '${location.origin}${pricePath(request)}'`;
  return (
    <section class="card request" aria-label="Request">
      <div class="offer-head">
        <h2>The same offer from your terminal</h2>
        <CopyButton id="copy" text={command} />
      </div>
      <pre class="command">
        <code id="curl">{command}</code>
      </pre>
    </section>
  );
}
