import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetchBalances, fetchToken, type Token } from "../api.ts";
import { CloseButton, useModal } from "../dialog.tsx";
import { requestFailure } from "../request-failure.ts";
import type { TokenShelf } from "../use-market.ts";
import { ownLists } from "./own-lists.ts";
import { OwnLists } from "./own-lists-panel.tsx";
import { type PickerRow, PickerRows } from "./picker-rows.tsx";
import type { OwnList, OwnToken } from "./read-list.ts";
import { recentTokens } from "./recent.ts";
import { ADDRESS, listedFirst, moveSelection, searchTokens } from "./token-search.ts";
import { useFound } from "./use-found.ts";

/** Most rows that are shown; typing narrows the list. */
const MOST_ROWS = 100;

type PickerProps = {
  readonly title: string;
  readonly chainId: number;
  readonly shelf: TokenShelf;
  /** Account whose balances are shown; undefined = none. */
  readonly account: string | undefined;
  readonly onPick: (token: Token) => void;
  readonly onClose: () => void;
};

/** A dialog with a combo box: letters search, arrow keys move in the list, Enter picks and Escape closes. */
export function TokenPicker({ title, chainId, shelf, account, onPick, onClose }: PickerProps) {
  const modal = useModal(onClose);
  const [typed, setTyped] = useState("");
  const [lists, setLists] = useState(ownLists);
  const held = useHeld(chainId, account);
  const shown = useRows({ chainId, shelf, typed, held, lists });
  const { rows } = shown;
  const { selected, select, reset } = useSelection(rows);
  const { choose, trouble } = useChoice(onPick);
  const search = useRef<HTMLInputElement>(null);
  // A layout effect, so that the field has the focus before the next key press.
  useLayoutEffect(() => search.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveSelection(event.key, selected, rows.length);
    if (next !== undefined) select(next);
    const chosen = event.key === "Enter" ? rows[selected] : undefined;
    if (chosen !== undefined) choose(chosen);
    if (next !== undefined || event.key === "Enter") event.preventDefault();
  };
  const onInput = (text: string) => {
    setTyped(text);
    reset();
  };
  return (
    <dialog {...modal} class="picker" aria-label={title}>
      <div class="picker-head">
        <h2>{title}</h2>
        <CloseButton />
      </div>
      <SearchField
        field={search}
        value={typed}
        option={rows.length > 0 ? selected : undefined}
        {...{ onInput, onKeyDown }}
      />
      <PickerRows rows={rows} known={shelf.known} {...{ held, selected }} onPick={choose} onSelect={select} />
      <p class="picker-foot" role="status">
        {trouble ?? footnote(shelf, typed, shown)}
      </p>
      <OwnLists lists={lists} onChange={setLists} />
    </dialog>
  );
}

/**
 * The selected row, which stays with its token when rows that are found later come before it; at first, and where its
 * token is gone, the first row.
 */
function useSelection(rows: readonly PickerRow[]) {
  const [address, setAddress] = useState<string>();
  const at = rows.findIndex(({ token }) => token.address === address);
  return {
    selected: Math.max(0, at),
    select: (row: number) => setAddress(rows[row]?.token.address),
    reset: () => setAddress(undefined),
  };
}

type SearchFieldProps = {
  readonly field: { readonly current: HTMLInputElement | null };
  readonly value: string;
  /** Number of the option that Enter picks. */
  readonly option: number | undefined;
  readonly onInput: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

function SearchField({ field, value, option, onInput, onKeyDown }: SearchFieldProps) {
  return (
    <input
      ref={field}
      class="picker-search"
      type="text"
      role="combobox"
      aria-label="Search by symbol, name or address"
      aria-expanded="true"
      aria-controls="picker-list"
      aria-activedescendant={option === undefined ? undefined : `picker-${option}`}
      placeholder="Symbol, name or address"
      autocomplete="off"
      spellcheck={false}
      maxLength={80}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** Picks a row. A token that only a user's list names is read from its contract first. */
function useChoice(onPick: (token: Token) => void) {
  const [trouble, setTrouble] = useState<string>();
  const choose = ({ token, ownList }: PickerRow) => {
    if (ownList === undefined) return onPick(token);
    setTrouble(`Asking the contract of ${token.symbol || token.address}…`);
    fetchToken(token.chainId, token.address).then(onPick, (error: unknown) =>
      setTrouble(requestFailure(error).message),
    );
  };
  return { choose, trouble };
}

/** Balances of the account, requested once when the picker opens. */
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

type Searching = {
  readonly chainId: number;
  readonly shelf: TokenShelf;
  readonly typed: string;
  readonly held: ReadonlyMap<string, bigint>;
  readonly lists: readonly OwnList[];
};

/** Matching tokens; without a search text, recent tokens come first, then those that the account holds. */
function useRows({ chainId, shelf, typed, held, lists }: Searching) {
  const listed = useMemo(() => {
    const all = shelf.list.kind === "ready" ? searchTokens(shelf.list.value, typed) : [];
    if (typed.trim() !== "") return all;
    const recent = recentTokens(chainId);
    const rank = ({ address }: Token) => (recent.includes(address) ? 0 : held.has(address) ? 1 : 2);
    return [...listedFirst(all, "")].sort((a, b) => rank(a) - rank(b));
  }, [shelf.list, typed, held, chainId]);
  const { tokens: found, isAsking, trouble } = useFound(chainId, typed.trim());
  const rows = useMemo(() => {
    const rare = found.filter((token) => !listed.some((one) => one.address === token.address));
    const shown = listedFirst([...listed.slice(0, MOST_ROWS), ...rare], typed).map((token) => ({ token }));
    const seen = new Set([...listed, ...rare].map(({ address }) => address));
    const own = ownRows(lists, chainId, typed).filter(({ token }) => !seen.has(token.address));
    const all: PickerRow[] = [...shown, ...own.slice(0, MOST_ROWS)];
    return all;
  }, [listed, found, lists, chainId, typed]);
  return { rows, more: Math.max(0, listed.length - MOST_ROWS), isAsking, trouble };
}

/** Matching tokens of the user's lists. For a token in several lists, the first list is used. */
function ownRows(lists: readonly OwnList[], chainId: number, typed: string): PickerRow[] {
  const names = new Map<string, string>();
  const tokens: Token[] = [];
  for (const { name, tokens: own } of lists)
    for (const token of own) {
      if (token.chainId !== chainId || names.has(token.address)) continue;
      names.set(token.address, name);
      tokens.push(asToken(token));
    }
  return searchTokens(tokens, typed).map((token) => ({ token, ownList: names.get(token.address)! }));
}

const asToken = (own: OwnToken): Token => ({ ...own, is_active: false, priority: 0, is_listed: false });

type Shown = {
  readonly rows: readonly PickerRow[];
  readonly more: number;
  readonly isAsking: boolean;
  readonly trouble: string | undefined;
};

function footnote(
  shelf: TokenShelf,
  typed: string,
  { rows: { length: shown }, more, isAsking, trouble }: Shown,
): string {
  if (shelf.list.kind === "loading") return "Loading the tokens of this chain…";
  if (shelf.list.kind === "failed") return `${shelf.list.text} Trying again.`;
  if (shown === 0 && trouble !== undefined) return trouble;
  if (shown === 0 && isAsking) return "Asking the chain…";
  if (shown === 0 && ADDRESS.test(typed.trim())) return "At this address the chain has no token.";
  if (shown === 0) return "No token matches. Paste an address to search this chain for it.";
  return more > 0 ? `${more} more: type to narrow the list.` : `${shown} token${shown === 1 ? "" : "s"}`;
}
