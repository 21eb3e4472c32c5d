import { Button, Group, Modal, Stack, Text, type ModalProps } from "@mantine/core";
import { foldText } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../failures/error-notice.tsx";
import { StatusMark } from "../layout/status-mark.tsx";
import { useSession } from "../../lib/session.ts";
import { useFocusReturn } from "../../lib/use-focus-return.ts";
import { Form } from "./form.tsx";
import { FormErrorContext, TextField } from "./form-fields.tsx";
import { notify, useNotifyFailure } from "./use-act.ts";
import { BusyButton } from "./busy-button.tsx";

/** The second click of a double one comes within that time. */
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
  // A double click on what opens it would close it at once.
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOld(true), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, []);
  // Escape is the sign-in's, which lies above and does not close.
  const isCovered = useSession().state === "expired";
  return (
    <Modal
      opened
      centered
      closeOnEscape={!isCovered}
      closeOnClickOutside={isOld}
      closeButtonProps={{ "aria-label": t("close") }}
      {...props}
    />
  );
}

interface FormDialogProps extends DialogProps {
  submitLabel: string;
  danger?: boolean;
  /** Whether the fields can be submitted. */
  isReady?: boolean;
  /** Another way to finish, beside submitting. */
  alternative?: { label: string; disabled: boolean; run: () => Promise<unknown> };
  /** What is decided about, besides what is typed here: the dialog says when it has changed since it was opened. */
  basis?: string | undefined;
  /** What is decided about is there no more. */
  isGone?: boolean;
  /** The answer that has the focus at the beginning, where no field has. */
  focused?: "cancel" | "submit" | undefined;
  run: () => Promise<unknown>;
}

/** A dialog with fields: closes when `run` has worked, otherwise stays open and shows the error. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submitLabel, danger = false, alternative, basis, isGone = false, focused } = props;
  const isReady = (props.isReady ?? true) && !isGone;
  const { t } = useTranslation("common");
  const notifyFailure = useNotifyFailure();
  // By the time something has worked or failed, somebody may have closed this dialog and opened another one.
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    // It has gone with what it belonged to.
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
    // A click beside it would lose what was typed.
    <Dialog title={title} onClose={close} closeOnClickOutside={false}>
      <Form onSubmit={() => isReady && submit(props.run)}>
        <Stack gap="md">
          <FormErrorContext value={formErrors}>{children}</FormErrorContext>
          {error !== null && <ErrorNotice error={error} fields={fields} />}
          {/* What is being done here changes it, too. */}
          {!isPending && (isGone || basis !== openedWith) && (
            <p role="alert" className="no-margin">
              <StatusMark tone="warn">{t(isGone ? "goneMeanwhile" : "changedMeanwhile")}</StatusMark>
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

/** What a dialog says before something is done. */
export interface Confirmation {
  /** Where the name of the action is none for a dialog. */
  title?: string;
  /** What it will do, and to whom. */
  body: ReactNode;
  /** On the button, where the action's own label does not fit. */
  submitLabel?: string;
  danger?: boolean;
  /** Only where it cannot be undone: what has to be typed. */
  typeToConfirm?: string;
  /** Label of a field for a note that is kept with the action. */
  note?: string;
  /** What is decided about, as far as title and body do not say it as text: the dialog says when any of it has changed. */
  basis?: string;
}

interface ConfirmDialogProps extends Pick<FormDialogProps, "isGone"> {
  label: string;
  confirmation: Confirmation & { title: string };
  run: (note: string) => Promise<unknown>;
  done?: string | undefined;
  onClose: () => void;
}

/** Asks before something is done. */
export function ConfirmDialog({ label, confirmation, isGone = false, run, done, onClose }: ConfirmDialogProps) {
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
        (typeToConfirm === undefined || spoken(typed) === spoken(typeToConfirm)) &&
        (note === undefined || remark.trim() !== "")
      }
      basis={JSON.stringify([title, typeof body === "string" && body, confirmation.basis])}
      isGone={isGone}
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

/** A word as it is said, however somebody writes it. */
function spoken(word: string): string {
  return foldText(word).replaceAll(/\s/g, "");
}
