import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { NATIVE, type Token } from "./api.ts";
import { closeOutside } from "./dialog.tsx";
import { shortAddress } from "./labels.ts";
import { TokenDisc } from "./token-disc.tsx";
import { moveSelection, searchTokens } from "./token-search.ts";
import { useFound } from "./use-found.ts";
import type { TokenShelf } from "./use-market.ts";

/** More rows than anyone scrolls; the rest is a letter away. */
const MOST_ROWS = 100;

type PickerProps = {
  readonly title: string;
  readonly chainId: number;
  readonly shelf: TokenShelf;
  readonly onPick: (token: Token) => void;
  readonly onClose: () => void;
};

/** A dialog with a combo box: the letters go to the search, the arrows to the list, Enter picks, Escape closes. */
export function TokenPicker({ title, chainId, shelf, onPick, onClose }: PickerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState(0);
  const { rows, more } = useRows(chainId, shelf, typed);
  const search = useRef<HTMLInputElement>(null);
  // Before the next key: whoever opens the picker may already be typing.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    search.current?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveSelection(event.key, selected, rows.length);
    if (next !== undefined) setSelected(next);
    const chosen = event.key === "Enter" ? rows[selected] : undefined;
    if (chosen !== undefined) onPick(chosen);
    if (next !== undefined || event.key === "Enter") event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="picker" aria-label={title} onClose={onClose} onPointerDown={closeOutside}>
      <div class="picker-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <input
        ref={search}
        class="picker-search"
        type="text"
        role="combobox"
        aria-label="Search by symbol, name or address"
        aria-expanded="true"
        aria-controls="picker-list"
        aria-activedescendant={rows.length > 0 ? `picker-${selected}` : undefined}
        placeholder="Symbol, name or address"
        autocomplete="off"
        spellcheck={false}
        maxLength={80}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Rows rows={rows} selected={selected} onPick={onPick} onSelect={setSelected} />
      <p class="picker-foot" role="status">
        {footnote(shelf, rows.length, more)}
      </p>
    </dialog>
  );
}

function useRows(chainId: number, shelf: TokenShelf, typed: string) {
  const listed = useMemo(
    () => (shelf.list.kind === "ready" ? searchTokens(shelf.list.value, typed) : []),
    [shelf.list, typed],
  );
  const found = useFound(chainId, typed.trim());
  const rows = useMemo(() => {
    const rare = found.filter((token) => !listed.some((one) => one.address === token.address));
    return [...listed.slice(0, MOST_ROWS), ...rare];
  }, [listed, found]);
  return { rows, more: Math.max(0, listed.length - MOST_ROWS) };
}

function footnote(shelf: TokenShelf, shown: number, more: number): string {
  if (shelf.list.kind === "loading") return "Loading the tokens of this chain…";
  if (shelf.list.kind === "failed") return `${shelf.list.text} Trying again.`;
  if (shown === 0) return "No token matches. Paste an address to look for it on this chain.";
  return more > 0 ? `${more} more: type to narrow the list.` : `${shown} token${shown === 1 ? "" : "s"}`;
}

type RowsProps = {
  readonly rows: readonly Token[];
  readonly selected: number;
  readonly onPick: (token: Token) => void;
  readonly onSelect: (row: number) => void;
};

function Rows({ rows, selected, onPick, onSelect }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selected, rows]);
  return (
    <div class="picker-list" id="picker-list" role="listbox" aria-label="Tokens" tabIndex={-1} ref={list}>
      {rows.map((token, row) => (
        <button
          key={token.address}
          id={`picker-${row}`}
          type="button"
          class="picker-row"
          role="option"
          tabIndex={-1}
          aria-selected={row === selected}
          onMouseMove={() => row !== selected && onSelect(row)}
          onClick={() => onPick(token)}
        >
          <TokenDisc address={token.address} symbol={token.symbol} />
          <span class="picker-words">
            <bdi class="picker-symbol">{token.symbol}</bdi>
            <bdi class="picker-name">{token.name}</bdi>
          </span>
          <span class="picker-facts">
            {!token.is_active && <span class="badge">rarely used</span>}
            {token.address === NATIVE ? (
              <span>native coin</span>
            ) : (
              <code title={token.address}>{shortAddress(token.address)}</code>
            )}
          </span>
        </button>
      ))}
    </div>
  );
}
