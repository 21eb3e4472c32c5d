import type { ComponentProps } from "react";

/** A second tap on the same act within this time is the same tap: a greasy finger, a wet glass. */
const SAME_TAP_MS = 350;
/** So far from it a trembling finger lands. */
const SAME_SPOT_PX = 24;
/** What was tapped last, and nothing else since: after anything else the same act is meant again. */
let last: { button: Element; at: number; x: number; y: number } | null = null;

for (const type of ["pointerdown", "keydown"]) {
  const forgetElsewhere = (event: Event) => {
    // A key is at no spot, and near none.
    const { target, clientX, clientY } = event as PointerEvent;
    if (last === null || last.button.contains(target as Node)) return;
    if (!(Math.hypot(clientX - last.x, clientY - last.y) < SAME_SPOT_PX)) last = null;
  };
  addEventListener(type, forgetElsewhere, { capture: true });
}

/** Whether a click at that time of the page is the tap before it once more: on the same act, or on what that has brought under the finger. */
export function isSameTap(at: number): boolean {
  return last !== null && at - last.at < SAME_TAP_MS;
}

// A key that is held has led to this button, or has pressed it.
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
});

/** A button for an act. Tiles and keys, where each tap counts, name `isRepeatable`. */
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
