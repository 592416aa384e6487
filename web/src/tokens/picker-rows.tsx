import { useEffect, useRef } from "preact/hooks";
import { NATIVE, type Token } from "../api.ts";
import { readableAmount } from "../offer/amount.ts";
import { shortAddress } from "../route/labels.ts";
import { doubtOf } from "./doubt.ts";
import { TokenDisc } from "./token-disc.tsx";

export type PickerRow = {
  readonly token: Token;
  /** The user's list with the token, where the service does not list it: its contract is read when it is picked. */
  readonly ownList?: string;
};

type RowsProps = {
  readonly rows: readonly PickerRow[];
  readonly known: ReadonlyMap<string, Token>;
  readonly held: ReadonlyMap<string, bigint>;
  readonly selected: number;
  readonly onPick: (row: PickerRow) => void;
  readonly onSelect: (row: number) => void;
};

/** The tokens to choose from, as options of the combo box. */
export function PickerRows({ rows, known, held, selected, onPick, onSelect }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selected, rows]);
  return (
    <div class="picker-list" id="picker-list" role="listbox" aria-label="Tokens" tabIndex={-1} ref={list}>
      {rows.map((row, k) => (
        <button
          key={row.token.address}
          id={`picker-${k}`}
          type="button"
          class="picker-row"
          role="option"
          tabIndex={-1}
          aria-selected={k === selected}
          onMouseMove={() => k !== selected && onSelect(k)}
          onClick={() => onPick(row)}
        >
          <Row {...row} doubt={doubtOf(row.token, known)} amount={held.get(row.token.address)} />
        </button>
      ))}
    </div>
  );
}

type RowProps = PickerRow & { readonly doubt: string | undefined; readonly amount: bigint | undefined };

function Row({ token, ownList, doubt, amount }: RowProps) {
  return (
    <>
      <TokenDisc token={token} />
      <span class="picker-words">
        <bdi class="picker-symbol">{token.symbol}</bdi>
        <bdi class="picker-name">{token.name}</bdi>
        {doubt !== undefined && <span class="doubt">{doubt}</span>}
      </span>
      <span class="picker-facts">
        {amount !== undefined && <span class="picker-held">{readableAmount(amount, token.decimals, 5)}</span>}
        {ownList !== undefined && <bdi class="badge">{ownList}</bdi>}
        {ownList === undefined && !token.is_active && <span class="badge">rarely used</span>}
        {token.address === NATIVE ? (
          <span>native coin</span>
        ) : (
          <code title={token.address}>{shortAddress(token.address)}</code>
        )}
      </span>
    </>
  );
}
