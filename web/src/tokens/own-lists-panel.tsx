import { useState } from "preact/hooks";
import { dropList, keepList } from "./own-lists.ts";
import { ListFault, type OwnList, readTokenList } from "./read-list.ts";

type OwnListsProps = {
  readonly lists: readonly OwnList[];
  readonly onChange: (lists: readonly OwnList[]) => void;
};

/** The user's own token lists, added as a file or as text, and only parsed and stored in this browser. */
export function OwnLists({ lists, onChange }: OwnListsProps) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  const add = (given: string) => {
    try {
      onChange(keepList(readTokenList(given)));
      setText("");
      setFault(undefined);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
      setFault(error.message);
    }
  };
  return (
    <details class="own-lists">
      <summary>Your token lists{lists.length > 0 && ` (${lists.length})`}</summary>
      <p class="note-small">
        A list (tokenlists.org) makes its tokens easy to find. It stays in this browser and vouches for
        nothing: check the address of a token that no public list names.
      </p>
      <KeptLists lists={lists} onChange={onChange} />
      <label class="own-file">
        <span>Choose a file</span>
        <input
          type="file"
          id="list-file"
          accept="application/json,.json"
          onChange={(event) => {
            const field = event.currentTarget;
            void field.files?.[0]?.text().then((read) => {
              field.value = "";
              add(read);
            });
          }}
        />
      </label>
      <label class="own-text">
        <span>or paste one</span>
        <textarea
          id="list-text"
          rows={3}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="quiet"
        id="add-list"
        disabled={text.trim() === ""}
        onClick={() => add(text)}
      >
        Add this list
      </button>
      {fault !== undefined && (
        <p class="notice notice-wrong" role="alert">
          {fault}
        </p>
      )}
    </details>
  );
}

function KeptLists({ lists, onChange }: OwnListsProps) {
  return (
    <ul>
      {lists.map(({ name, tokens }) => (
        <li key={name} class="own-list">
          <bdi>{name}</bdi>
          <span>{tokens.length === 1 ? "1 token" : `${tokens.length} tokens`}</span>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(dropList(name))}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}
