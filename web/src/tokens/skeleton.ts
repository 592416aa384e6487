/** Characters that look like a Latin letter in the fonts of a page, in either case: Cyrillic, Greek, Armenian, signs and digits. */
const LIKENESSES: Readonly<Record<string, string>> = {
  a: "АаΑαɑ@",
  b: "ВвΒβЬьƅ",
  c: "СсϹϲ¢",
  d: "ԁɗĐđ",
  e: "ЕеΕεЄє€",
  f: "Ƒƒϝ",
  g: "ɡԌԍ",
  h: "НнΗһҺհ",
  i: "ІіΙιıӀӏIl1|!",
  j: "Јјϳ",
  k: "КкΚκ",
  m: "МмΜ",
  n: "ΝηոՆ",
  o: "ОоΟοσՕօ0ØøӨө",
  p: "РрΡρ",
  q: "ԛգ",
  r: "гⲅ",
  s: "Ѕѕ5ʂ",
  t: "ТтΤτ₮Ŧŧ",
  u: "υսՍ",
  v: "νѴѵ",
  w: "ԜԝѡωшШ",
  x: "ХхΧχ×",
  y: "УуΥүҮγ",
  z: "Ζ",
};

const LETTERS = new Map(
  Object.entries(LIKENESSES).flatMap(([letter, all]) => [...all].map((each) => [each, letter] as const)),
);

/** Letters by their category that show as nothing. */
const BLANK = /[\u115f\u1160\u3164\uffa0]/gu;

/**
 * The letters and digits that a symbol seems to have at a glance: two symbols with one skeleton are easily taken for each other.
 *
 * @returns "" where it has neither letters nor digits
 */
export function skeletonOf(symbol: string): string {
  const plain = symbol.replace(/^\$/, "").normalize("NFKD").replace(BLANK, "").replace(/\p{M}/gu, "");
  return [...plain]
    .map((each) => LETTERS.get(each) ?? each.toLowerCase())
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
