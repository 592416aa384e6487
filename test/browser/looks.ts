import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Measured inside the page: text whose contrast with what lies behind it is below WCAG AA. */
const FAINT_TEXT = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (!own || element.closest("svg, .unseen, noscript, option, .faint")) continue;
    if (element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const [one, two] = [light(rgba(style.color)), light(behind(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (contrast < (large ? 3 : 4.5)) faint.push(element.className + " " + element.textContent + " " + contrast.toFixed(2));
  }
  return faint;
})()`;

const OVERFLOW = `(() => {
  const width = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")]
    .filter((element) => !element.closest(".unseen, svg svg, dialog:not([open]), pre > code, .wide > table"))
    .filter((element) => element.getBoundingClientRect().right > width + 0.5)
    .map((element) => element.tagName + "." + element.getAttribute("class"));
  return document.documentElement.scrollWidth > width ? ["the page scrolls sideways", ...out] : out;
})()`;

const NAMELESS = `[...document.querySelectorAll("button, a, input, select, output")]
  .filter((element) => {
    const words = [element.textContent, element.getAttribute("aria-label"), element.labels?.[0]?.textContent,
      document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.innerText];
    return !words.some((text) => text && text.trim() !== "");
  })
  .map((element) => element.outerHTML)`;

export async function assertReadable(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(FAINT_TEXT), [], "text too faint to read");
}

export async function assertFits(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(OVERFLOW), [], "parts stick out of the page");
}

export async function assertNamed(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(NAMELESS), [], "controls without a name");
}
