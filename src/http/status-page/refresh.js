// Reloads the content every five seconds while the page is visible. Without JavaScript, a link reloads the page.
const SECONDS = 5;

async function refresh() {
  if (document.hidden || document.getSelection()?.toString()) return;
  const response = await fetch(location.pathname, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const places = scrolled();
  document.title = next.title;
  document.querySelector("main").replaceChildren(...next.querySelector("main").childNodes);
  for (const [k, left] of places.entries()) document.querySelectorAll(".wide")[k]?.scrollTo({ left });
}

/** Horizontal scroll position of each wide table. */
const scrolled = () => [...document.querySelectorAll(".wide")].map(({ scrollLeft }) => scrollLeft);

setInterval(() => {
  // Replacing the content would lose the focus of keyboard users.
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) void refresh().catch(() => undefined);
}, SECONDS * 1000);
