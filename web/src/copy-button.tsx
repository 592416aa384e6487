import { useState } from "preact/hooks";

/** How long the button says that the text is copied. */
const SAID_MS = 2500;

/** A button that copies a text, and what came of it: said to screen readers, and shown where the browser refused. */
export function CopyButton({ id, text }: { readonly id: string; readonly text: string }) {
  const [copied, setCopied] = useState<"yes" | "no">();
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied(done ? "yes" : "no");
    setTimeout(() => setCopied(undefined), SAID_MS);
  };
  return (
    <>
      <button type="button" class="quiet" id={id} onClick={copy}>
        {copied === "yes" ? "Copied" : "Copy"}
      </button>
      <span class="unseen" role="status">
        {copied === "yes" ? "Copied to the clipboard" : ""}
      </span>
      {copied === "no" && (
        <span class="field-note" role="alert">
          The browser refused: select the text and copy it.
        </span>
      )}
    </>
  );
}
