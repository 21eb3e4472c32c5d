import { Form } from "@comanda/ui/form.tsx";
import { useState, type ComponentProps } from "react";
import { TextField } from "../../../components/text-field.tsx";

/** A field for a value that no chip offers. `read` parses the text, and returns null while it is incomplete. */
export function TypedChip<T>({
  give,
  read,
  onGive,
  ...field
}: {
  /** The label of the submit button. */
  give: string;
  read: (typed: string) => T | null;
  onGive: (value: T) => void;
} & Pick<ComponentProps<typeof TextField>, "label" | "inputMode" | "maxLength">) {
  const [typed, setTyped] = useState("");
  const value = read(typed);
  return (
    <Form className="check-chips-typed" onSubmit={() => value !== null && onGive(value)}>
      <TextField {...field} value={typed} onValue={setTyped} />
      <button type="submit" className="act" data-kind="main" disabled={value === null}>
        {give}
      </button>
    </Form>
  );
}
