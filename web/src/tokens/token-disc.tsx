import { useState } from "preact/hooks";
import type { Token } from "../api.ts";
import { hueOf, monogram } from "../route/labels.ts";

/** Background colours on which white letters have a contrast of at least 4.5. */
const COLOURS = [
  "#0b7a75",
  "#3f51c7",
  "#a85a00",
  "#b0325f",
  "#1f6fb2",
  "#4d7c0f",
  "#7a49b8",
  "#b23b1e",
  "#52616f",
  "#0f766e",
  "#8a6100",
  "#9d2f8e",
] as const;

const LETTER_SIZE = [17, 17, 14, 11.5, 9.5] as const;

type TokenDiscProps = {
  readonly token: Pick<Token, "chainId" | "address" | "symbol" | "has_logo">;
};

/** A token's logo where the service has one, else a disc with letters, in a colour derived from the address. */
export function TokenDisc({ token }: TokenDiscProps) {
  const path = `/v1/${token.chainId}/tokens/${token.address}/logo`;
  const [missing, setMissing] = useState<string>();
  if (token.has_logo !== true || missing === path) return <LetterDisc {...token} />;
  return (
    <img
      class="disc"
      src={path}
      alt=""
      width="36"
      height="36"
      loading="lazy"
      decoding="async"
      onError={() => setMissing(path)}
    />
  );
}

function LetterDisc({ address, symbol }: Pick<Token, "address" | "symbol">) {
  const letters = monogram(symbol);
  return (
    <svg class="disc" viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="18" fill={COLOURS[hueOf(address, COLOURS.length)]} />
      <circle cx="18" cy="18" r="16.5" fill="none" stroke="#ffffff" stroke-opacity="0.22" />
      <text
        x="18"
        y="18"
        dy="0.36em"
        text-anchor="middle"
        fill="#ffffff"
        font-size={LETTER_SIZE[letters.length] ?? 9}
      >
        {letters}
      </text>
    </svg>
  );
}
