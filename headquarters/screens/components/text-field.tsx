import type { ComponentProps } from "react";

/** A text field of a form, required by default. */
export function TextField({ label, ...input }: { label: string } & ComponentProps<"input">) {
  return (
    <label className="field">
      <span>{label}</span>
      <input required maxLength={200} {...input} />
    </label>
  );
}
