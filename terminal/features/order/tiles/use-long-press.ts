import { useRef, type MouseEvent, type PointerEvent } from "react";

/** Long enough to be meant, short enough to be found. */
const LONG_MS = 500;
/** A finger that moves further scrolls. */
const MOST_MOVED_PX = 10;

/** Handlers for a list in which `held` hears of a long press, or of the right button; the tap that ends it counts for nothing. */
export function useLongPress(held: (target: Element) => void) {
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; x: number; y: number; wasHeld: boolean }>({
    x: 0,
    y: 0,
    wasHeld: false,
  });
  const cancel = () => clearTimeout(press.current.timer);
  const hold = (target: EventTarget) => {
    cancel();
    if (press.current.wasHeld || !(target instanceof Element)) return;
    press.current.wasHeld = true;
    held(target);
  };
  return {
    onPointerDown({ clientX: x, clientY: y, target, pointerType }: PointerEvent) {
      cancel();
      press.current = { x, y, wasHeld: false };
      if (pointerType !== "mouse") press.current.timer = setTimeout(() => hold(target), LONG_MS);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > MOST_MOVED_PX) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      hold(event.target);
    },
    onClickCapture(event: MouseEvent) {
      if (!press.current.wasHeld) return;
      press.current.wasHeld = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
