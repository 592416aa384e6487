import { useMemo } from "preact/hooks";
import { shortAmount } from "../offer/amount.ts";
import { shareText } from "../offer/percent.ts";
import { useWidth } from "../use-width.ts";
import type { Flows } from "./flows.ts";
import { type NamedToken, stepName } from "./labels.ts";
import { type Paint, paintOfStep } from "./paint.ts";
import { BAR, layOut, type Picture, type PlacedNode, type PlacedTag } from "./picture.ts";

type PictureProps = {
  readonly route: Flows;
  readonly nameOf: (address: string) => NamedToken;
  readonly paint: Paint;
  readonly active: number | undefined;
  readonly onActive: (leg: number | undefined) => void;
};

/** Sankey diagram of the route: tokens are bars, pools are flows whose width is their share of the order. */
export function RoutePicture({ route, nameOf, paint, active, onActive }: PictureProps) {
  const { element, width } = useWidth<HTMLDivElement>();
  const picture = useMemo(() => (width > 0 ? layOut(route, width) : undefined), [route, width]);
  const dimmed = (leg: number) => (active === undefined || active === leg ? "" : " dimmed");
  return (
    <div class="picture" ref={element}>
      {picture !== undefined && (
        <svg
          role="img"
          aria-label="The route as flows from the token sold to the token bought; the list below says the same"
          width={picture.width}
          height={picture.height}
          viewBox={`0 0 ${picture.width} ${picture.height}`}
        >
          {picture.threads.map(({ leg, path, width: wide }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: hovering only points at what the list says in words
            <path
              key={path}
              class={`thread ${paintOfStep(paint, leg.step)}${dimmed(leg.number)}`}
              d={path}
              stroke-width={wide}
              onMouseEnter={() => onActive(leg.number)}
              onMouseLeave={() => onActive(undefined)}
            />
          ))}
          {picture.nodes.map((placed) => (
            <NodeBar
              key={placed.node.id}
              placed={placed}
              picture={picture}
              token={nameOf(placed.node.token)}
            />
          ))}
          {picture.tags.map((tag) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: as above
            <g
              key={`${tag.leg.number} ${tag.x}`}
              class={`tag ${paintOfStep(paint, tag.leg.step)}${dimmed(tag.leg.number)}`}
              onMouseEnter={() => onActive(tag.leg.number)}
              onMouseLeave={() => onActive(undefined)}
            >
              <Tag tag={tag} picture={picture} nameOf={nameOf} />
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

type NodeBarProps = {
  readonly placed: PlacedNode;
  readonly picture: Picture;
  readonly token: NamedToken;
};

function NodeBar({ placed: { node, x, y0, y1 }, picture, token }: NodeBarProps) {
  const [anchor, at] = anchorOf(x, picture.width);
  const both = picture.density === "full";
  return (
    <g class="node">
      <rect x={x} y={y0} width={BAR} height={Math.max(2, y1 - y0)} rx="2" />
      <text x={at} y={y0 - (both ? 20 : 6)} text-anchor={anchor} class="node-symbol">
        {clip(token.symbol, 12)}
      </text>
      {both && (
        <text x={at} y={y0 - 6} text-anchor={anchor} class="node-amount">
          {shortAmount(node.amount, token.decimals)}
        </text>
      )}
    </g>
  );
}

/** Text anchor and position of a token's name, which stays inside the diagram at its edges. */
function anchorOf(x: number, width: number): ["start" | "middle" | "end", number] {
  if (x < 20) return ["start", x];
  return x > width - 20 ? ["end", x + BAR] : ["middle", x + BAR / 2];
}

type TagProps = {
  readonly tag: PlacedTag;
  readonly picture: Picture;
  readonly nameOf: (address: string) => NamedToken;
};

function Tag({ tag: { leg, x, y }, picture, nameOf }: TagProps) {
  const { width, height } = picture.tag;
  const full = picture.density === "full";
  const name = stepName(leg.step);
  const share = shareText(leg.share);
  const amounts = [
    amountText(leg.step.amount_in, nameOf(leg.step.token_in)),
    amountText(leg.step.amount_out, nameOf(leg.step.token_out)),
  ].join(" → ");
  return (
    <svg x={x - width / 2} y={y - height / 2} width={width} height={height} overflow="visible">
      <title>{`${leg.number}. ${name}, ${share}: ${amounts}`}</title>
      <rect width={width} height={height} rx={full ? 9 : 11} />
      {picture.density === "number" ? (
        <text x={width / 2} y={height / 2 + 4} text-anchor="middle" class="tag-strong">
          {leg.number}
        </text>
      ) : (
        <>
          <Line
            x={11}
            y={full ? 4 : 3}
            width={width - 11 - shareWidth(share)}
            text={name}
            textClass="tag-strong"
            shrinks
          />
          <text x={width - 11} y={(full ? 4 : 3) + 12} text-anchor="end" class="tag-strong">
            {share}
          </text>
        </>
      )}
      {full && <Line x={11} y={20} width={width - 18} text={amounts} textClass="tag-amounts" />}
    </svg>
  );
}

/** Width of a bold character of a label in the widest common fonts, in CSS pixels. */
const LETTER_WIDTH = 9;

/** Width of a share at the end of a label including margins, in CSS pixels. */
function shareWidth(share: string): number {
  return 16 + share.length * LETTER_WIDTH;
}

type LineProps = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
  readonly textClass: string;
  /** Whether a long text is set in smaller letters before it is clipped. */
  readonly shrinks?: boolean;
};

/** Letters of names: mean width at full size, full size, and least size, in CSS pixels. */
const NAME = { letter: 7.6, size: 12, least: 8 } as const;

/** Text that is clipped at a width. */
function Line({ x, y, width, text, textClass, shrinks }: LineProps) {
  const size = Math.max(NAME.least, Math.min(NAME.size, (NAME.size * width) / (NAME.letter * text.length)));
  return (
    <svg x={x} y={y} width={width} height="18" overflow="hidden" aria-hidden="true">
      <text x="0" y="12" class={textClass} style={shrinks ? { fontSize: `${size.toFixed(1)}px` } : undefined}>
        {text}
      </text>
    </svg>
  );
}

function amountText(raw: string, token: NamedToken): string {
  return `${shortAmount(BigInt(raw), token.decimals)} ${clip(token.symbol, 7)}`;
}

function clip(text: string, letters: number): string {
  const all = [...text];
  return all.length > letters ? `${all.slice(0, letters - 1).join("")}…` : text;
}
