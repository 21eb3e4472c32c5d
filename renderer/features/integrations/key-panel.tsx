import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { Scope, type ApiKey, type KeyCreated } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Action } from "../../components/action-button.tsx";
import { FormDialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { TimeAgo } from "../../components/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { TokenOnce } from "./shown-once.tsx";
import { useNameLabels } from "./webhook-labels.ts";

/** The keys of other systems. */
export function KeyPanel() {
  const { t } = useTranslation("integrations");
  const keys = useHub("keys");
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<KeyCreated | null>(null);
  const columns = useColumns();
  const actions = useActions();
  return (
    <Panel
      title={t("keys")}
      about={t("keysAbout")}
      actions={<Button onClick={() => setCreating(true)}>{t("newKey")}</Button>}
      flush
    >
      <Loaded query={keys}>
        {(list) => (
          <Table
            columns={columns}
            rows={list.keys}
            rowKey={(key) => key.keyId}
            actions={actions}
            empty={{ title: t("noKeysTitle"), children: t("noKeys") }}
          />
        )}
      </Loaded>
      {creating && <NewKeyDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      <TokenOnce created={created} onSaved={() => setCreated(null)} />
    </Panel>
  );
}

function useColumns(): Column<ApiKey>[] {
  const { t } = useTranslation(["integrations", "common"]);
  const labels = useNameLabels();
  return [
    {
      header: t("label"),
      cell: (key) => (
        <>
          <strong>{key.label}</strong>
          <div className="soft mono">{key.keyId}</div>
        </>
      ),
    },
    {
      header: t("scopes"),
      cell: (key) => (
        <ul className="plain-list">
          {key.scopes.map((scope) => (
            <li key={scope}>{labels.scope(scope)}</li>
          ))}
        </ul>
      ),
    },
    {
      header: t("state"),
      cell: ({ enabled }) => (
        <StatusMark tone={enabled ? "good" : "idle"}>{t(enabled ? "common:enabled" : "common:disabled")}</StatusMark>
      ),
    },
    {
      header: t("lastUsed"),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t("common:never") : <TimeAgo at={utcToIso(lastUsedAt)} />),
    },
    { header: t("created"), cell: (key) => <TimeAgo at={utcToIso(key.createdAt)} /> },
  ];
}

function useActions(): (key: ApiKey) => Action[] {
  const { t } = useTranslation(["integrations", "common"]);
  return ({ keyId, label, enabled }) => {
    const params = { keyId };
    return [
      {
        label: t(enabled ? "common:disable" : "common:enable"),
        name: t(enabled ? "disableOf" : "enableOf", { name: label }),
        ...(enabled && {
          confirm: { title: t("disableKeyTitle", { label }), body: t("disableKeyBody"), danger: true },
        }),
        run: () => callHub("updateKey", { params, body: { enabled: !enabled } }),
      },
      {
        label: t("common:remove"),
        name: t("deleteOf", { name: label }),
        confirm: {
          title: t("deleteKeyTitle", { label }),
          body: t("deleteKeyBody"),
          danger: true,
          typeToConfirm: label,
        },
        run: () => callHub("deleteKey", { params }),
      },
    ];
  };
}

interface NewKeyDialogProps {
  onClose: () => void;
  onCreated: (key: KeyCreated) => void;
}

function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const { t } = useTranslation("integrations");
  const labels = useNameLabels();
  const [label, setLabel, clearLabel] = useDraft("key-label");
  const [chosen, setChosen] = useState<string[]>(["read"]);
  return (
    <FormDialog
      title={t("newKey")}
      submitLabel={t("create")}
      isReady={label.trim() !== "" && chosen.length > 0}
      onClose={onClose}
      run={async () => {
        const scopes = Scope.options.filter((scope) => chosen.includes(scope));
        onCreated(await callHub("createKey", { body: { label: label.trim(), scopes } }));
        clearLabel();
      }}
    >
      <TextInput
        label={t("label")}
        description={t("labelHint")}
        value={label}
        maxLength={120}
        required
        onChange={(event) => setLabel(event.currentTarget.value)}
        data-autofocus
      />
      <Checkbox.Group label={t("scopes")} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {Scope.options.map((scope) => (
            <Checkbox key={scope} value={scope} label={labels.scope(scope)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, as the key API writes times, as ISO 8601. */
function utcToIso(text: string): string {
  return text.includes("T") ? text : `${text.replace(" ", "T")}Z`;
}
