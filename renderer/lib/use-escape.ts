import { useEffect, useEffectEvent } from "react";

/** What closes before a pane does: it lies above it. */
const ABOVE = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Calls `close` on Escape while `isOpen`, unless something above closes first or a field with text is being edited. */
export function useEscape(isOpen: boolean, close: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return;
    if (document.querySelector(ABOVE) !== null || isEditing(event.target)) return;
    close();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    // In the capture phase, while what this key closes is still there to be seen.
    const listener = (event: KeyboardEvent) => handle(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => window.removeEventListener("keydown", listener, { capture: true });
  }, [isOpen]);
}

/** Escape empties a search field, and takes back what was typed in others. */
function isEditing(target: EventTarget | null): boolean {
  return (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.value !== "";
}
