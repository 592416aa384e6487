import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { readableAmount } from "./amount.ts";
import { fetchBalances, NATIVE, type Token } from "./api.ts";
import { closeOutside } from "./dialog.tsx";
import { shortAddress } from "./labels.ts";
import { recentTokens } from "./recent.ts";
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
  /** Whose balances are shown; undefined = nobody's. */
  readonly account: string | undefined;
  readonly onPick: (token: Token) => void;
  readonly onClose: () => void;
};

/** A dialog with a combo box: the letters go to the search, the arrows to the list, Enter picks, Escape closes. */
export function TokenPicker({ title, chainId, shelf, account, onPick, onClose }: PickerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState(0);
  const held = useHeld(chainId, account);
  const { rows, more } = useRows(chainId, shelf, typed, held);
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
      <Rows rows={rows} held={held} selected={selected} onPick={onPick} onSelect={setSelected} />
      <p class="picker-foot" role="status">
        {footnote(shelf, rows.length, more)}
      </p>
    </dialog>
  );
}

/** What the account has, asked once when the picker opens. */
function useHeld(chainId: number, account: string | undefined): ReadonlyMap<string, bigint> {
  const [held, setHeld] = useState<ReadonlyMap<string, bigint>>(NOTHING);
  useEffect(() => {
    if (account === undefined) return;
    let over = false;
    void fetchBalances(chainId, account).then(
      (next) => over || setHeld(next),
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, [chainId, account]);
  return held;
}

const NOTHING: ReadonlyMap<string, bigint> = new Map();

/** Tokens that match, those that were used lately or that the account holds first while nothing is typed. */
function useRows(chainId: number, shelf: TokenShelf, typed: string, held: ReadonlyMap<string, bigint>) {
  const listed = useMemo(() => {
    const all = shelf.list.kind === "ready" ? searchTokens(shelf.list.value, typed) : [];
    if (typed.trim() !== "") return all;
    const recent = recentTokens(chainId);
    const rank = ({ address }: Token) => (recent.includes(address) ? 0 : held.has(address) ? 1 : 2);
    return [...all].sort((a, b) => rank(a) - rank(b));
  }, [shelf.list, typed, held, chainId]);
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
  readonly held: ReadonlyMap<string, bigint>;
  readonly selected: number;
  readonly onPick: (token: Token) => void;
  readonly onSelect: (row: number) => void;
};

function Rows({ rows, held, selected, onPick, onSelect }: RowsProps) {
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
          <TokenDisc token={token} />
          <span class="picker-words">
            <bdi class="picker-symbol">{token.symbol}</bdi>
            <bdi class="picker-name">{token.name}</bdi>
            <Doubt token={token} />
          </span>
          <span class="picker-facts">
            <Held token={token} amount={held.get(token.address)} />
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

function Held({ token, amount }: { readonly token: Token; readonly amount: bigint | undefined }) {
  return amount === undefined ? null : (
    <span class="picker-held">{readableAmount(amount, token.decimals, 5)}</span>
  );
}

/** What speaks against a token that no list names: said where it is chosen, in red. */
function Doubt({ token }: { readonly token: Token }) {
  if (token.is_listed !== false) return null;
  const poses = (token.lookalikes?.length ?? 0) > 0;
  return (
    <span class="picker-doubt">
      {poses ? `Bears the symbol of a listed token and is not it.` : "No public list names this token."}
    </span>
  );
}
