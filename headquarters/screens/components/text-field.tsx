import type { ComponentProps } from "react";

/** A field of a form that has to be filled in. */
export function TextField({ label, ...input }: { label: string } & ComponentProps<"input">) {
  return (
    <label className="field">
      <span>{label}</span>
      <input required maxLength={200} {...input} />
    </label>
  );
}
