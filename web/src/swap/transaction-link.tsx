import type { Platform } from "../api.ts";

/** The hash, with the chain's explorer behind it where it has one. */
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
