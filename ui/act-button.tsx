import type { ComponentProps } from "react";

/** A second tap on the same button within this time, in ms, is the same tap: a greasy finger, a wet glass. */
const SAME_TAP_MS = 350;
/** The farthest that a trembling finger lands from the first tap. */
const SAME_SPOT_PX = 24;
/** The last tap. Any other input clears it: after that, the same tap is intended. */
let last: { button: Element; at: number; x: number; y: number } | null = null;

for (const type of ["pointerdown", "keydown"]) {
  const forgetElsewhere = (event: Event) => {
    // A key event has no coordinates, so it is never near.
    const { target, clientX, clientY } = event as PointerEvent;
    if (last === null || last.button.contains(target as Node)) return;
    if (!(Math.hypot(clientX - last.x, clientY - last.y) < SAME_SPOT_PX)) last = null;
  };
  addEventListener(type, forgetElsewhere, { capture: true });
}

/** Whether a click at a page time (ms) repeats the last tap, on the same button or on one that came under the finger. */
export function isSameTap(at: number): boolean {
  return last !== null && at - last.at < SAME_TAP_MS;
}

// Ignores the repeats of a held Enter: it may have led to this button, or has already pressed it.
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
});

/** A button for an action. Tiles and keys, where each tap counts, set `isRepeatable`. */
export function ActButton({
  kind = "plain",
  size = "large",
  isRepeatable = false,
  onAct,
  ...rest
}: Omit<ComponentProps<"button">, "onClick" | "type"> & {
  kind?: "main" | "money" | "plain" | "danger" | "quiet";
  size?: "large" | "small";
  isRepeatable?: boolean;
  onAct: () => void;
}) {
  return (
    <button
      type="button"
      {...rest}
      className={`act ${rest.className ?? ""}`}
      data-kind={kind}
      data-size={size}
      onClick={({ currentTarget: button, timeStamp: at, clientX: x, clientY: y }) => {
        const isSame = last?.button === button && isSameTap(at);
        last = { button, at, x, y };
        if (isRepeatable || !isSame) onAct();
      }}
    />
  );
}
