import type { Platform } from "../api.ts";

/** A transaction hash, as a link to the chain's block explorer if there is one. */
export function TransactionLink({
  hash,
  platform,
}: {
  readonly hash: string;
  readonly platform: Platform | undefined;
}) {
  const short = `${hash.slice(0, 10)}…${hash.slice(-6)}`;
  const explorer = platform?.explorer_url;
  if (explorer === undefined)
    return (
      <code class="hash" title={hash}>
        {short}
      </code>
    );
  return (
    <a class="hash" href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer noopener">
      {short}
    </a>
  );
}
