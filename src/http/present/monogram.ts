const HUES = 360;

/** A logo made from a name, as an SVG data URL: its first letter on a disc, with a hue derived from the name. */
export function monogram(name: string): string {
  const letter = /[A-Za-z0-9]/.exec(name)?.[0]?.toUpperCase() ?? "?";
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % HUES;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="hsl(${hash} 55% 42%)"/>` +
    `<text x="16" y="22" font-family="sans-serif" font-size="17" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
