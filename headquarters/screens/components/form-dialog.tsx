import { useAct } from "../lib/use-act.ts";
import { Dialog } from "./dialog.tsx";
import { Form, type FormProps } from "./form.tsx";

/** A form in a dialog that closes once the form was sent. */
export function FormDialog({ title, onClose, ...form }: FormProps & { title: string; onClose: () => void }) {
  const acting = useAct();
  return (
    <Dialog title={title} isBusy={acting.isBusy} onClose={onClose}>
      <Form {...form} acting={acting} onSent={onClose} />
    </Dialog>
  );
}
