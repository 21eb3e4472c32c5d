import type { ComponentProps } from "react";

/** A line to type, with its name above. Unless it is asked, the browser proposes nothing: what it knows is of other guests. */
export function TextField({
  label,
  onValue,
  ...input
}: { label: string; onValue?: (value: string) => void } & Omit<ComponentProps<"input">, "onChange">) {
  return (
    <label className="field">
      <span>{label}</span>
      <input autoComplete="off" {...input} onChange={(event) => onValue?.(event.currentTarget.value)} />
    </label>
  );
}
