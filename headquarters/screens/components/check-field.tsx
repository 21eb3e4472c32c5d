import type { ComponentProps } from "react";

/** A checkbox with its label. */
export function CheckField({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className="check-field">
      <input type="checkbox" {...input} />
      {children}
    </label>
  );
}
