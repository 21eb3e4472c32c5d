import { Button, Checkbox, Stack } from "@mantine/core";
import { KeyPurpose, scopesFor, type ApiKey, type Scope } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { ConfirmationNote, useNeedsConfirmation } from "../../components/forms/needs-confirmation.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { TokenOnce, type NewKey } from "./shown-once.tsx";
import { useNameLabels } from "./webhook-labels.ts";

/** The API keys of other systems. */
export function KeyPanel() {
  const { t } = useTranslation("integrations");
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewKey | null>(null);
  const whyNot = useNeedsConfirmation();
  return (
    <Panel
      title={t("keys")}
      about={t("keysAbout")}
      actions={
        <Button disabled={whyNot(t("newKey")) !== undefined} onClick={() => setCreating(true)}>
          {t("newKey")}
        </Button>
      }
      flush
    >
      <ConfirmationNote what={t("keysConfirmed")} />
      <LoadedTable
        query={useHub("keys")}
        columns={useColumns()}
        rows={(list) => list.keys}
        rowKey={(key) => key.keyId}
        actions={useActions()}
        empty={{ title: t("noKeysTitle"), children: t("noKeys") }}
      />
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
      header: t("common:name"),
      cell: (key) => (
        <>
          <strong>{key.label}</strong>
          <div className="soft mono">{key.keyId}</div>
        </>
      ),
    },
    {
      header: t("scopes"),
      isLong: true,
      cell: (key) => (
        <ul className="plain-list">
          {key.scopes.map((scope) => (
            <li key={scope}>{labels.scope(scope)}</li>
          ))}
        </ul>
      ),
    },
    {
      header: t("common:state"),
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
        ...(!enabled && { needsConfirmation: true }),
        run: () =>
          enabled ? callHub("disableKey", { params }) : callHub("updateKey", { params, body: { enabled: true } }),
      },
      {
        label: t("common:remove"),
        name: t("deleteOf", { name: label }),
        needsConfirmation: true,
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

function NewKeyDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const { t, format } = useTranslation(["integrations", "common"]);
  const labels = useNameLabels();
  const [label, setLabel, clearLabel] = useDraft("key-label");
  const [purposes, setPurposes] = useState<KeyPurpose[]>(["orders", "floor"]);
  const scopes = scopesFor(purposes);
  return (
    <FormDialog
      title={t("newKey")}
      submitLabel={t("create")}
      isReady={label.trim() !== "" && scopes.length > 0}
      onClose={onClose}
      run={async () => {
        // Read first: once the key exists, nothing may prevent showing its token.
        const sample = await readSample(scopes);
        const created = await callHub("createKey", { body: { label: label.trim(), scopes } });
        onCreated({ ...created, sample });
        clearLabel();
      }}
    >
      <TextField
        field="label"
        label={t("common:name")}
        description={t("labelHint")}
        value={label}
        maxLength={120}
        required
        onChange={setLabel}
        data-autofocus
      />
      <Checkbox.Group
        label={t("purposes")}
        value={purposes}
        onChange={(chosen) => setPurposes(KeyPurpose.options.filter((purpose) => chosen.includes(purpose)))}
      >
        <Stack gap="xs" mt="xs">
          {KeyPurpose.options.map((purpose) => (
            <Checkbox
              key={purpose}
              value={purpose}
              label={t(`purpose.${purpose}.name`)}
              description={t(`purpose.${purpose}.about`)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <p className="no-margin soft" role="status">
        {scopes.length === 0
          ? t("noPurpose")
          : t("purposeScopes", { scopes: format.list(scopes.map((scope) => labels.scope(scope))) })}
      </p>
    </FormDialog>
  );
}

/** Returns an order that a new key can send at once, or null if it may not, or if the hub has no menu yet. */
async function readSample(scopes: readonly Scope[]): Promise<NewKey["sample"]> {
  if (!scopes.includes("orders:write")) return null;
  return callHub("sampleOrder").then(
    ({ sample }) => sample,
    () => null,
  );
}

/** Converts `YYYY-MM-DD HH:MM:SS` in UTC, as the key API writes times, to ISO 8601. */
function utcToIso(text: string): string {
  return text.includes("T") ? text : `${text.replace(" ", "T")}Z`;
}
