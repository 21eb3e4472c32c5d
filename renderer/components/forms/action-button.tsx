import type { ButtonProps } from "@mantine/core";
import { useCallback, useState, type ReactNode } from "react";
import { ConfirmDialog, type Confirmation } from "./dialog.tsx";
import { useNeedsConfirmation } from "./needs-confirmation.tsx";
import { useAct } from "./use-act.ts";
import { BusyButton } from "./busy-button.tsx";

/** What a button does. */
export interface Action {
  label: string;
  /** The name for screen readers, if the label does not say what the action applies to. */
  name?: string;
  /** The main action among several. */
  primary?: boolean;
  /** Grants access or overwrites data: disabled, with the reason, while the account cannot be confirmed. */
  needsConfirmation?: true;
  /** The text of the dialog that opens before the action runs. */
  confirm?: Confirmation;
  /** Gets the note typed in the dialog. */
  run: (note: string) => Promise<unknown>;
  /** The message after success. */
  done?: string;
}

interface ActionButtonProps extends Action, Pick<ButtonProps, "size" | "variant" | "leftSection"> {
  /** Opens the dialog in a parent, so that it outlives the button. If absent, the button opens its own. */
  onConfirm?: ((action: Action) => void) | undefined;
}

/** A button that is busy while its action runs, and opens the action's confirmation dialog if there is one. */
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
 * Returns the confirmation dialog to render, and the function that opens it for an action and the key of its object. The dialog
 * shows and runs the current `actionOf(key)`, which is undefined if the action is no longer possible.
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
      isUnavailable={present?.confirm === undefined}
      run={run}
      done={done}
      onClose={() => setOpened(null)}
    />
  );
  return [dialog, confirm];
}
