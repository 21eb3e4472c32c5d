import { useRef, type MouseEvent, type PointerEvent } from "react";

/** Milliseconds of a long press: too long for an accident, short enough to be discovered. */
const LONG_MS = 500;
/** A pointer that moves further scrolls. */
const MAX_MOVED_PX = 10;

/** Returns handlers for a list that call `onLongPress` on a long press or right click. The click that ends a long press is ignored. */
export function useLongPress(onLongPress: (target: Element) => void) {
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
    onLongPress(target);
  };
  return {
    onPointerDown({ clientX: x, clientY: y, target, pointerType }: PointerEvent) {
      cancel();
      press.current = { x, y, wasHeld: false };
      if (pointerType !== "mouse") press.current.timer = setTimeout(() => hold(target), LONG_MS);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > MAX_MOVED_PX) cancel();
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
