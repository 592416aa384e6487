import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal sheet: Escape, the button and a press beside it close it, and focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="picker sheet-dialog"
      aria-label={title}
      onClose={onClose}
      onPointerDown={closeOutside}
    >
      <div class="picker-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** A press on the backdrop arrives at the dialog itself; one inside arrives at a child. */
export function closeOutside(event: PointerEvent & { readonly currentTarget: HTMLDialogElement }) {
  if (event.target === event.currentTarget) event.currentTarget.close();
}
