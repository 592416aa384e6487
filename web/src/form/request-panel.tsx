import { useState } from "preact/hooks";
import { type PriceRequest, pricePath } from "../api.ts";

/** The current request as a curl command to copy. */
export function RequestPanel({ request }: { readonly request: PriceRequest | undefined }) {
  const [copied, setCopied] = useState<"yes" | "no">();
  if (request === undefined) return null;
  const command = `curl '${location.origin}${pricePath(request)}'`;
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(command).then(
      () => true,
      () => false,
    );
    setCopied(done ? "yes" : "no");
    setTimeout(() => setCopied(undefined), 2500);
  };
  return (
    <section class="card request" aria-label="Request">
      <div class="offer-head">
        <h2>The same offer from your terminal</h2>
        <button type="button" class="quiet" id="copy" onClick={copy}>
          {copied === "yes" ? "Copied" : "Copy"}
        </button>
      </div>
      <pre class="command">
        <code id="curl">{command}</code>
      </pre>
      <p class="unseen" role="status">
        {copied === "yes" ? "Copied to the clipboard" : ""}
        {copied === "no" ? "The browser refused: select the text and copy it" : ""}
      </p>
      {copied === "no" && <p class="field-note">The browser refused: select the text and copy it.</p>}
    </section>
  );
}
