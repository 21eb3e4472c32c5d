import type { ReactNode } from "react";
import type { useAct } from "../lib/use-act.ts";
import { Failure } from "./failure.tsx";

export interface FormProps {
  action: string;
  /** The text for a CONFLICT. */
  conflict?: string;
  /** Sends the form. `text` returns a field's value, or "". Returns null if the person has to correct something first. */
  send: (text: (field: string) => string) => Promise<unknown> | null;
  children: ReactNode;
}

/** A form with its fields, the button that sends it by `acting`, and the last failure. */
export function Form({
  action,
  acting: { isBusy, error, act },
  conflict,
  send,
  onSent,
  children,
}: FormProps & { acting: ReturnType<typeof useAct>; onSent?: (form: HTMLFormElement) => void }) {
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const values = new FormData(form);
        const sending = send((field) => {
          const value = values.get(field);
          return typeof value === "string" ? value : "";
        });
        if (sending !== null) void act(() => sending).then((worked) => worked && onSent?.(form));
      }}
    >
      {children}
      <button className="act" data-kind="main" type="submit" disabled={isBusy}>
        {action}
      </button>
      <Failure error={error} {...(conflict !== undefined && { conflict })} />
    </form>
  );
}
