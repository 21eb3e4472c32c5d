import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { Scope, type KeyCreated } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { useDraft } from "../../../lib/use-draft.ts";
import { createKey } from "../api/create-key.ts";
import { scopeWords } from "../scope-words.ts";

interface NewKeyProps {
  open: boolean;
  onClose: () => void;
  onCreated: (key: KeyCreated) => void;
}

export function NewKey({ open, onClose, onCreated }: NewKeyProps) {
  const { t, i18n } = useTranslation(["integrations", "common"]);
  const [label, setLabel, clearLabel] = useDraft("key-label");
  const [chosen, setChosen] = useState<string[]>(["read"]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function create() {
    setBusy(true);
    setError(null);
    try {
      const key = await createKey({
        label: label.trim(),
        scopes: Scope.options.filter((scope) => chosen.includes(scope)),
      });
      clearLabel();
      onCreated(key);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={t("integrations:newKey")}
      centered
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label={t("integrations:label")}
            description={t("integrations:labelHint")}
            value={label}
            maxLength={120}
            required
            withAsterisk={false}
            onChange={(event) => setLabel(event.currentTarget.value)}
            data-autofocus
          />
          <Checkbox.Group label={t("integrations:scopes")} value={chosen} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              {Scope.options.map((scope) => (
                <Checkbox key={scope} value={scope} label={scopeWords(scope, i18n.language)} />
              ))}
            </Stack>
          </Checkbox.Group>
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common:cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={label.trim() === "" || chosen.length === 0}>
              {t("integrations:create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
