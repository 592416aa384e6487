import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/**
 * A modal dialog. Escape, the button and a click on the backdrop close it. When what it shows is replaced, and with it
 * the focused control, its heading gets the focus, so that the keyboard stays inside and the new title is read out.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const modal = useModal(onClose);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    // Not focusable before, or the dialog would open with the focus on it and not on its first control.
    heading.current?.setAttribute("tabindex", "-1");
    heading.current?.focus();
  });
  return (
    <dialog {...modal} class="picker sheet-dialog" aria-label={title}>
      <div class="picker-head">
        <h2 ref={heading}>{title}</h2>
        <CloseButton />
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Closes the dialog that it is in. */
export function CloseButton() {
  return (
    <button type="button" class="quiet" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
      Close
    </button>
  );
}

/**
 * Properties of a <dialog> that is modal while it is on the page. However it ends, it is closed first: the browser gives
 * the focus back to what opened a dialog when it closes, and not when it is only removed.
 *
 * @param onClose must remove the dialog; it is not called where the dialog has been removed by other means
 */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isRemoved = useRef(false);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isRemoved.current = true;
      shown?.close();
    };
  }, []);
  return {
    ref: dialog,
    // The event of closing comes later than the call, and so may come after the removal.
    onClose: () => isRemoved.current || onClose(),
    onPointerDown: closeOutside,
  };
}

/** Closes the dialog on a click on its backdrop. The gaps between its children have the same target. */
function closeOutside(event: PointerEvent & { readonly currentTarget: HTMLDialogElement }) {
  const { target, currentTarget: dialog, clientX: x, clientY: y } = event;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const isInside = x >= left && x <= right && y >= top && y <= bottom;
  if (target === dialog && !isInside) dialog.close();
}
