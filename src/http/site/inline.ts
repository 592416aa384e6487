/** The URL of a link or image on the site; undefined for a target that the site does not serve. */
export type ResolveLink = (target: string) => string | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);

/** Inline elements in order of precedence: code, image, link, URL in angle brackets, anchor, bold, italics. */
const MARKS =
  /(`+)(.+?)\1|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:[^[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>|<a id="([\w-]+)"><\/a>|\*\*(.+?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*/gs;

/** Renders the inline elements of Markdown as HTML. A link or image without a URL becomes plain text. */
export function renderInline(text: string, resolve: ResolveLink): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    html += escapeHtml(text.slice(end, match.index)) + renderMark(match, resolve);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderMark(match: RegExpMatchArray, resolve: ResolveLink): string {
  const [, , code, alt, image, label, target, address, anchor, bold, italics] = match;
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (image !== undefined) return renderImage(alt!, image, resolve);
  if (target !== undefined) return renderLink(renderInline(label!, resolve), resolve(target));
  if (address !== undefined) return renderLink(escapeHtml(address), resolve(address));
  if (anchor !== undefined) return `<a id="${anchor}"></a>`;
  if (bold !== undefined) return `<strong>${renderInline(bold, resolve)}</strong>`;
  return `<em>${renderInline(italics!, resolve)}</em>`;
}

function renderImage(alt: string, image: string, resolve: ResolveLink): string {
  const source = resolve(image);
  if (source === undefined) return escapeHtml(alt);
  return `<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}">`;
}

function renderLink(label: string, href: string | undefined): string {
  return href === undefined ? label : `<a href="${escapeHtml(href)}">${label}</a>`;
}
