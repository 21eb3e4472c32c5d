import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { openModals } from "./open-modals.ts";

/**
 * A dialog above the screen. The browser's own dialog keeps the focus inside and returns it. Open while it is mounted.
 * `onDismiss`: Escape, the system's way back, or a tap outside. Without it, none of them closes the dialog.
 */
export function Modal({
  className,
  titleId,
  onDismiss,
  children,
}: {
  className: string;
  titleId: string;
  onDismiss?: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const dismiss = useEffectEvent(() => onDismiss?.());
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    openModals.set([...openModals.get(), dialog]);
    const stopListening = whenDismissed(dialog, dismiss);
    return () => {
      stopListening();
      openModals.set(openModals.get().filter((each) => each !== dialog));
      // Removing it from the page would not return the focus.
      dialog.close();
    };
  }, []);
  // Outside the screen that opened it, so that it does not inherit the screen's colours and sizes.
  return createPortal(
    <dialog ref={ref} className={className} aria-labelledby={titleId}>
      {children}
    </dialog>,
    document.body,
  );
}

function whenDismissed(dialog: HTMLDialogElement, dismiss: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  dialog.addEventListener(
    "cancel",
    (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      dismiss();
    },
    { signal },
  );
  // The browser closes it on a second Escape in a row, even if the first was prevented. Only the app may decide that.
  const reopen = () => {
    if (dialog.isConnected && !dialog.open) dialog.showModal();
    dismiss();
  };
  dialog.addEventListener("close", reopen, { signal });
  // A press that begins inside and ends outside, as when text is selected, is not a tap outside.
  let isPressedBeside = false;
  dialog.addEventListener("pointerdown", ({ target }) => (isPressedBeside = target === dialog), { signal });
  dialog.addEventListener(
    "click",
    ({ target }) => {
      if (target === dialog && isPressedBeside) dismiss();
    },
    { signal },
  );
  return () => listening.abort();
}
