import { useEffect, useState, type CSSProperties } from "react";

interface Hint {
  texts: readonly string[];
  left: number;
  top: number;
  bottom: number;
}

const MAX_WIDTH = 560;
const GAP = 4;

/**
 * Shows the full text where an ellipsis cuts it: the text under the pointer or, for keyboard users, all cut texts in the
 * focused row. One instance serves all screens.
 */
export function CutTextHint() {
  const [hint, setHint] = useState<Hint | null>(null);
  useEffect(() => {
    const hide = () => setHint(null);
    const onPointer = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest(".cut-text-hint") !== null) return;
      setHint(hintOf(lineOf(target).filter(isCut)));
    };
    const onFocus = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
      // For a focused list, the hint would show the cut texts of all its rows.
      const row = target.closest('[role="row"], tr, li') ?? target.closest("a, button");
      setHint(row === null ? null : hintOf([row, ...row.querySelectorAll("*")].filter(isCut)));
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("mouseover", onPointer, { signal });
    document.addEventListener("focusin", onFocus, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("keydown", onKey, { signal });
    document.addEventListener("scroll", hide, { signal, capture: true, passive: true });
    return () => listening.abort();
  }, []);
  if (hint === null) return null;
  return (
    // Screen readers read the full text in its place: it is cut only visually.
    <div className="tight cut-text-hint" style={placeOf(hint)} aria-hidden>
      {hint.texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Returns the element and the ancestors that may cut it. */
function lineOf(element: Element): Element[] {
  const { parentElement } = element;
  return [element, parentElement, parentElement?.parentElement].filter((one) => one instanceof Element);
}

function isCut(element: Element): boolean {
  return element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).textOverflow === "ellipsis";
}

function hintOf(elements: readonly Element[]): Hint | null {
  const texts = [...new Set(elements.map((element) => element.textContent.trim()).filter((text) => text !== ""))];
  const rect = elements[0]?.getBoundingClientRect();
  return rect === undefined || texts.length === 0
    ? null
    : { texts, left: rect.left, top: rect.top, bottom: rect.bottom };
}

/** Places the hint below the text, or above it in the lower half of the window. */
function placeOf({ left, top, bottom }: Hint): CSSProperties {
  const space = window.innerWidth - Math.min(MAX_WIDTH, window.innerWidth - 16) - 8;
  const side = { left: Math.max(8, Math.min(left, space)), maxWidth: MAX_WIDTH };
  return bottom < window.innerHeight / 2
    ? { ...side, top: bottom + GAP }
    : { ...side, bottom: window.innerHeight - top + GAP };
}
