import { useEffect, useEffectEvent } from "react";

/** Elements above a pane, which close before it. */
const ABOVE = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Calls `close` on Escape while `isOpen`, unless an element above closes first or a field with text is being edited. */
export function useEscape(isOpen: boolean, close: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return;
    if (document.querySelector(ABOVE) !== null || isEditing(event.target)) return;
    close();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    // In the capture phase, while an element above that this key closes is still in the document.
    const listener = (event: KeyboardEvent) => handle(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => window.removeEventListener("keydown", listener, { capture: true });
  }, [isOpen]);
}

/** Whether a field with text is being edited: Escape empties a search field, and undoes the input of others. */
function isEditing(target: EventTarget | null): boolean {
  return (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.value !== "";
}
