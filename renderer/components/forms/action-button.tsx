import type { ButtonProps } from "@mantine/core";
import { useCallback, useState, type ReactNode } from "react";
import { ConfirmDialog, type Confirmation } from "./dialog.tsx";
import { useNeedsConfirmation } from "./needs-confirmation.tsx";
import { useAct } from "./use-act.ts";
import { BusyButton } from "./busy-button.tsx";

/** What a button does. */
export interface Action {
  label: string;
  /** The name for screen readers, where the label does not say on what it acts. */
  name?: string;
  /** The main action where there are several. */
  primary?: boolean;
  /** It gives access away or overwrites: disabled, with the reason, while the account cannot be confirmed. */
  needsConfirmation?: true;
  /** What a dialog says before the action runs. */
  confirm?: Confirmation;
  /** Gets the note that was typed in the dialog. */
  run: (note: string) => Promise<unknown>;
  /** Says that it worked. */
  done?: string;
}

interface ActionButtonProps extends Action, Pick<ButtonProps, "size" | "variant" | "leftSection"> {
  /** Opens the dialog elsewhere, so that it outlives the button; without it the button opens its own. */
  onConfirm?: ((action: Action) => void) | undefined;
}

/** A button that is busy while its action runs, and opens the confirmation of an action that has one. */
export function ActionButton({ onConfirm, size = "sm", variant, leftSection, ...action }: ActionButtonProps) {
  const { busy, act } = useAct();
  const [dialog, confirm] = useConfirm(() => action);
  const whyNot = useNeedsConfirmation();
  const reason = action.needsConfirmation === true ? whyNot(action.label) : undefined;
  return (
    <>
      <BusyButton
        size={size}
        variant={variant ?? (action.primary === true ? "filled" : "default")}
        leftSection={leftSection}
        loading={busy}
        disabled={reason !== undefined}
        title={reason}
        aria-label={action.name}
        onClick={() => {
          if (action.confirm === undefined) void act(() => action.run(""), action.done, action.name ?? action.label);
          else if (onConfirm === undefined) confirm(action, null);
          else onConfirm(action);
        }}
      >
        {action.label}
      </BusyButton>
      {dialog}
    </>
  );
}

interface ActionRowProps extends Pick<ActionButtonProps, "onConfirm"> {
  actions: readonly Action[];
}

/** Small buttons side by side. */
export function ActionRow({ actions, onConfirm }: ActionRowProps) {
  return (
    <div className="button-row">
      {actions.map((action) => (
        <ActionButton key={action.label} size="xs" onConfirm={onConfirm} {...action} />
      ))}
    </div>
  );
}

/**
 * The confirmation dialog, to be rendered, and the function that opens it for an action and the key of what it acts on. The
 * dialog says and does what `actionOf` has for that key by then; it is undefined once that cannot be done any more.
 */
export function useConfirm<K>(
  actionOf: (key: K) => Action | undefined,
): [dialog: ReactNode, confirm: (action: Action, key: K) => void] {
  const [opened, setOpened] = useState<{ action: Action; key: K } | null>(null);
  const confirm = useCallback((action: Action, key: K) => setOpened({ action, key }), []);
  if (opened === null) return [null, confirm];
  const present = actionOf(opened.key);
  const { label, name = label, confirm: confirmation = opened.action.confirm, run, done } = present ?? opened.action;
  const dialog = confirmation !== undefined && (
    <ConfirmDialog
      label={label}
      confirmation={{ title: name, ...confirmation }}
      isGone={present?.confirm === undefined}
      run={run}
      done={done}
      onClose={() => setOpened(null)}
    />
  );
  return [dialog, confirm];
}
