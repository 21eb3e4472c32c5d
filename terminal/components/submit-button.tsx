import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";

/** Submits the form's action once: disabled while it runs, which also blocks Enter. */
export function SubmitButton(rest: Omit<ComponentProps<"button">, "type" | "disabled" | "className">) {
  const { pending } = useFormStatus();
  return <button type="submit" className="act" disabled={pending} {...rest} />;
}
