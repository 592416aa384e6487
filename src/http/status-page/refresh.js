// Reads the page again every five seconds while it is seen; without this it is read again by its link.
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

/** How far each wide table is scrolled to the side. */
const scrolled = () => [...document.querySelectorAll(".wide")].map(({ scrollLeft }) => scrollLeft);

setInterval(() => {
  // Whoever works the page by keyboard would lose the place.
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) void refresh().catch(() => undefined);
}, SECONDS * 1000);
