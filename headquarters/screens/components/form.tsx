import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

/** Fields with the button that sends them, and what came of it; `conflict`: what may be in the way. `onSubmit` gets what is in each field, empty where there is none. */
export function Form({
  action,
  isBusy,
  error,
  conflict,
  onSubmit,
  children,
}: {
  action: string;
  isBusy: boolean;
  error: unknown;
  conflict?: string;
  onSubmit: (text: (field: string) => string, form: HTMLFormElement) => void;
  children: ReactNode;
}) {
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        onSubmit((field) => {
          const value = values.get(field);
          return typeof value === "string" ? value : "";
        }, event.currentTarget);
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
