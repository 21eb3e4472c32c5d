import type { ComponentProps } from "react";

/** A second tap on the same act within this time is the same tap: a greasy finger, a wet glass. */
const SAME_TAP_MS = 350;
/** What was tapped last, and nothing else since: after anything else the same act is meant again. */
let last: { button: HTMLButtonElement; at: number } | null = null;

for (const type of ["pointerdown", "keydown"]) {
  const forgetElsewhere = ({ target }: Event) => {
    if (!(target instanceof Node) || last?.button.contains(target) !== true) last = null;
  };
  addEventListener(type, forgetElsewhere, { capture: true });
}

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
      className={["act", rest.className].filter(Boolean).join(" ")}
      data-kind={kind}
      data-size={size}
      onClick={({ currentTarget: button, timeStamp: at }) => {
        const isSameTap = last?.button === button && at - last.at < SAME_TAP_MS;
        last = { button, at };
        if (isRepeatable || !isSameTap) onAct();
      }}
    />
  );
}
