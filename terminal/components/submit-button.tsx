import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";

/** Sends its form's action once: it is off until that has ended, as Enter is with it. */
export function SubmitButton(rest: Omit<ComponentProps<"button">, "type" | "disabled" | "className">) {
  const { pending } = useFormStatus();
  return <button type="submit" className="act" disabled={pending} {...rest} />;
}
