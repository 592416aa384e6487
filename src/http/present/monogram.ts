const HUES = 360;

/** A round picture of a name's first letter in a colour of its own, as a data URL: no host has to be asked for it. */
export function monogram(name: string): string {
  const letter = /[A-Za-z0-9]/.exec(name)?.[0]?.toUpperCase() ?? "?";
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % HUES;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="hsl(${hash} 55% 42%)"/>` +
    `<text x="16" y="22" font-family="sans-serif" font-size="17" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
