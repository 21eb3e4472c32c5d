import { ActButton } from "@comanda/ui/act-button.tsx";
import { useAct } from "../lib/use-act.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

/** Says what something comes to before it is done. `conflict`: what is in the way, where a screen knows it. */
export function ConfirmDialog(props: {
  title: string;
  about: string;
  action: string;
  conflict?: string;
  work: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { title, about, action, conflict, work, onClose } = props;
  const { isBusy, error, act } = useAct();
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p>{about}</p>
      <ActButton kind="danger" size="small" disabled={isBusy} onAct={() => void act(work)}>
        {action}
      </ActButton>
      <Failure error={error} {...(conflict !== undefined && { conflict })} />
    </Dialog>
  );
}
