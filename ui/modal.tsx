import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { openModals } from "./open-modals.ts";

/**
 * Something in front of the screen, on the browser's own dialog, which keeps the focus inside and gives it back. It is open
 * as long as it is there. `onDismiss`: Escape, the system's way back, or a tap beside it; without it none of them closes it.
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
      // Taking it off the page would not give the focus back.
      dialog.close();
    };
  }, []);
  // Outside the screen that it came from, whose colours and sizes are not its own.
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
  // A second Escape in a row closes it whatever was said to the first; the app alone says whether it is open.
  const reopen = () => {
    if (dialog.isConnected && !dialog.open) dialog.showModal();
    dismiss();
  };
  dialog.addEventListener("close", reopen, { signal });
  // A press that begins inside and ends beside it, as when a text is selected, is no tap beside it.
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
