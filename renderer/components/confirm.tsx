import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "./error-notice.tsx";

interface ConfirmProps {
  /** What is about to be done; null closes the dialog. */
  open: boolean;
  onClose: () => void;
  title: string;
  /** What it will do, and to whom. */
  children: ReactNode;
  action: string;
  danger?: boolean;
  /** Only where it cannot be undone: what has to be typed. */
  typeToConfirm?: string;
  /** Asks for a remark that is kept with it. */
  note?: { label: string; placeholder?: string };
  run: (note: string) => Promise<unknown>;
}

/** Names a danger before it is done; stays open and tells when it did not work. */
export function Confirm({
  open,
  onClose,
  title,
  children,
  action,
  danger = false,
  typeToConfirm,
  note,
  run,
}: ConfirmProps) {
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState("");
  const [remark, setRemark] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ready =
    (typeToConfirm === undefined || typed.trim() === typeToConfirm) && (note === undefined || remark.trim() !== "");

  function close() {
    setTyped("");
    setRemark("");
    setError(null);
    onClose();
  }

  async function confirm() {
    setBusy(true);
    setError(null);
    try {
      await run(remark.trim());
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={open} onClose={close} title={title} centered closeButtonProps={{ "aria-label": t("close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void confirm();
        }}
      >
        <Stack gap="md">
          <Text size="md" component="div">
            {children}
          </Text>
          {note !== undefined && (
            <TextInput
              label={note.label}
              placeholder={note.placeholder ?? ""}
              value={remark}
              maxLength={500}
              onChange={(event) => setRemark(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {typeToConfirm !== undefined && (
            <TextInput
              label={t("typeToConfirm", { word: typeToConfirm })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("cancel")}
            </Button>
            <Button type="submit" color={danger ? "red.9" : "petrol"} loading={busy} disabled={!ready}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
