import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal dialog. Escape, the button and a click on the backdrop close it; the browser then restores the focus. */
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

/** Closes the dialog on a click on its backdrop, whose target is the dialog itself and not a child. */
export function closeOutside(event: PointerEvent & { readonly currentTarget: HTMLDialogElement }) {
  if (event.target === event.currentTarget) event.currentTarget.close();
}
