import { Button, Group, Modal, Stack, Text, type ModalProps } from "@mantine/core";
import { foldText } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../failures/error-notice.tsx";
import { StatusMark } from "../layout/status-mark.tsx";
import { useSession } from "../../lib/session.ts";
import { useFocusReturn } from "../../lib/use-focus-return.ts";
import { Form } from "@comanda/ui/form.tsx";
import { FormErrorContext, TextField } from "./form-fields.tsx";
import { notify, useNotifyFailure } from "./use-act.ts";
import { BusyButton } from "./busy-button.tsx";

/** The longest time between the two clicks of a double click, in ms. */
const DOUBLE_CLICK_MS = 600;

interface DialogProps extends Pick<ModalProps, "size" | "closeOnClickOutside"> {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A window over the screen. */
export function Dialog(props: DialogProps) {
  const { t } = useTranslation("common");
  useFocusReturn();
  // Otherwise the second half of a double click on the opening button would close the dialog.
  const [isDismissible, setDismissible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDismissible(true), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, []);
  // While the sign-in dialog covers this one, Escape must not close this one.
  const isCovered = useSession().state === "expired";
  return (
    <Modal
      opened
      centered
      closeOnEscape={!isCovered}
      closeOnClickOutside={isDismissible}
      closeButtonProps={{ "aria-label": t("close") }}
      {...props}
    />
  );
}

interface FormDialogProps extends DialogProps {
  submitLabel: string;
  danger?: boolean;
  /** Whether the form can be submitted. */
  isReady?: boolean;
  /** Another way to finish, besides submitting. */
  alternative?: { label: string; disabled: boolean; run: () => Promise<unknown> };
  /** The state that the user decides about, except the fields. The dialog warns if it has changed since it was opened. */
  basis?: string | undefined;
  /** Whether the object of the decision no longer exists. */
  isUnavailable?: boolean;
  /** The button with the initial focus, if no field has it. */
  focused?: "cancel" | "submit" | undefined;
  run: () => Promise<unknown>;
}

/** A dialog with fields. Closes when `run` succeeds; otherwise stays open and shows the error. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submitLabel, danger = false, alternative, basis, isUnavailable = false, focused } = props;
  const isReady = (props.isReady ?? true) && !isUnavailable;
  const { t } = useTranslation("common");
  const notifyFailure = useNotifyFailure();
  // This dialog may be closed, and another one opened, before `run` settles.
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    // Unmounting counts as closing.
    return () => {
      isClosed.current = true;
    };
  }, []);
  const [openedWith] = useState(basis);
  const close = () => {
    isClosed.current = true;
    props.onClose();
  };
  const {
    error,
    isPending,
    mutate: submit,
  } = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: () => {
      if (!isClosed.current) props.onClose();
    },
    onError: (failure) => {
      if (isClosed.current) notifyFailure(failure, title);
    },
  });
  const [fields] = useState(() => new Set<string>());
  const formErrors = useMemo(() => ({ error, fields }), [error, fields]);

  return (
    // A click outside would lose the typed input.
    <Dialog title={title} onClose={close} closeOnClickOutside={false}>
      <Form onSubmit={() => isReady && submit(props.run)}>
        <Stack gap="md">
          <FormErrorContext value={formErrors}>{children}</FormErrorContext>
          {error !== null && <ErrorNotice error={error} fields={fields} />}
          {/* While pending, the submission itself may change the basis. */}
          {!isPending && (isUnavailable || basis !== openedWith) && (
            <p role="alert" className="no-margin">
              <StatusMark tone="warn">{t(isUnavailable ? "unavailableMeanwhile" : "changedMeanwhile")}</StatusMark>
            </p>
          )}
          <Group justify={alternative === undefined ? "flex-end" : "space-between"}>
            {alternative !== undefined && (
              <Button
                variant="subtle"
                disabled={alternative.disabled || isPending}
                onClick={() => submit(alternative.run)}
              >
                {alternative.label}
              </Button>
            )}
            <Group>
              <Button variant="default" onClick={close} data-autofocus={focused === "cancel" || undefined}>
                {t("cancel")}
              </Button>
              <BusyButton
                type="submit"
                color={danger ? "red.9" : "petrol"}
                loading={isPending}
                disabled={!isReady}
                data-autofocus={focused === "submit" || undefined}
              >
                {submitLabel}
              </BusyButton>
            </Group>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** The text of a confirmation dialog. */
export interface Confirmation {
  /** Replaces the action's name, if that does not suit a dialog. */
  title?: string;
  /** What the action will do, and to whom. */
  body: ReactNode;
  /** Replaces the action's label on the button, if that does not fit. */
  submitLabel?: string;
  danger?: boolean;
  /** The text to type before confirming; only for actions that cannot be undone. */
  typeToConfirm?: string;
  /** Label of a field for a note that is kept with the action. */
  note?: string;
  /** The state that the user decides about, as far as title and body do not show it as text. The dialog warns if it changes. */
  basis?: string;
}

interface ConfirmDialogProps extends Pick<FormDialogProps, "isUnavailable"> {
  label: string;
  confirmation: Confirmation & { title: string };
  run: (note: string) => Promise<unknown>;
  done?: string | undefined;
  onClose: () => void;
}

/** Asks for confirmation before an action runs. */
export function ConfirmDialog({ label, confirmation, isUnavailable = false, run, done, onClose }: ConfirmDialogProps) {
  const { title, body, submitLabel = label, danger = false, typeToConfirm, note } = confirmation;
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState("");
  const [remark, setRemark] = useState("");
  const hasField = note !== undefined || typeToConfirm !== undefined;
  const answer = danger ? "cancel" : "submit";
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      danger={danger}
      isReady={
        (typeToConfirm === undefined || foldWord(typed) === foldWord(typeToConfirm)) &&
        (note === undefined || remark.trim() !== "")
      }
      basis={JSON.stringify([title, typeof body === "string" && body, confirmation.basis])}
      isUnavailable={isUnavailable}
      focused={hasField ? undefined : answer}
      onClose={onClose}
      run={async () => {
        await run(remark.trim());
        if (done !== undefined) notify(done, { about: title });
      }}
    >
      <Text size="md" component="div">
        {body}
      </Text>
      {note !== undefined && (
        <TextField label={note} value={remark} maxLength={500} onChange={setRemark} data-autofocus />
      )}
      {typeToConfirm !== undefined && (
        <TextField
          label={t("typeToConfirm", { word: typeToConfirm })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}

/** Folds a word for comparison: case, accents and spaces do not count. */
function foldWord(word: string): string {
  return foldText(word).replaceAll(/\s/g, "");
}
