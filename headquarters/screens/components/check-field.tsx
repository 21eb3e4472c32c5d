import type { ComponentProps } from "react";

/** Something to be ticked, with what that means beside it. */
export function CheckField({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className="check-field">
      <input type="checkbox" {...input} />
      {children}
    </label>
  );
}
