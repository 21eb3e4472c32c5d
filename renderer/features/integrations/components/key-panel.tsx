import { Button } from "@mantine/core";
import type { ApiKey, KeyCreated } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { deleteKey } from "../api/delete-key.ts";
import { useKeys } from "../api/keys.ts";
import { updateKey } from "../api/update-key.ts";
import { scopeWords } from "../scope-words.ts";
import { utcToIso } from "../utc-to-iso.ts";
import { NewKey } from "./new-key.tsx";
import { TokenOnce } from "./token-once.tsx";
import "./integrations.css";

interface Asking {
  what: "disable" | "delete";
  key: ApiKey;
}

/** The keys of other systems. */
export function KeyPanel() {
  const { t } = useTranslation("integrations");
  const keys = useKeys();
  const queries = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<KeyCreated | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const readAgain = () => queries.invalidateQueries({ queryKey: hubKey("keys") });
  const newKey = <Button onClick={() => setCreating(true)}>{t("newKey")}</Button>;
  return (
    <Panel title={t("keys")} about={t("keysAbout")} actions={newKey} flush>
      <Loaded query={keys}>
        {(list) =>
          list.keys.length === 0 ? (
            <Empty title={t("noKeysTitle")}>{t("noKeys")}</Empty>
          ) : (
            <Rows keys={list.keys} onAsk={setAsking} onDone={readAgain} />
          )
        }
      </Loaded>
      <NewKey
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false);
          setCreated(key);
          void readAgain();
        }}
      />
      <TokenOnce created={created} onSaved={() => setCreated(null)} />
      {asking !== null && <Ask asking={asking} onClose={() => setAsking(null)} onDone={readAgain} />}
    </Panel>
  );
}

interface RowsProps {
  keys: readonly ApiKey[];
  onAsk: (asking: Asking) => void;
  onDone: () => Promise<void>;
}

function Rows({ keys, onAsk, onDone }: RowsProps) {
  const { t, i18n } = useTranslation(["integrations", "common"]);
  const { act } = useAct();
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("integrations:label")}</th>
            <th scope="col">{t("integrations:scopes")}</th>
            <th scope="col">{t("integrations:state")}</th>
            <th scope="col">{t("integrations:lastUsed")}</th>
            <th scope="col">{t("integrations:created")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("integrations:actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.keyId}>
              <td>
                <strong>{key.label}</strong>
                <div className="soft mono">{key.keyId}</div>
              </td>
              <td>
                <ul className="plain-list">
                  {key.scopes.map((scope) => (
                    <li key={scope}>{scopeWords(scope, i18n.language)}</li>
                  ))}
                </ul>
              </td>
              <td>
                <StatusMark tone={key.enabled ? "good" : "idle"}>
                  {t(key.enabled ? "common:enabled" : "common:disabled")}
                </StatusMark>
              </td>
              <td>{key.lastUsedAt === null ? t("common:never") : <Ago at={utcToIso(key.lastUsedAt)} />}</td>
              <td>
                <Ago at={utcToIso(key.createdAt)} />
              </td>
              <td>
                <div className="button-row">
                  {key.enabled ? (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={t("integrations:disableOf", { name: key.label })}
                      onClick={() => onAsk({ what: "disable", key })}
                    >
                      {t("common:disable")}
                    </Button>
                  ) : (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={t("integrations:enableOf", { name: key.label })}
                      onClick={() => void act(() => updateKey(key.keyId, true).then(onDone))}
                    >
                      {t("common:enable")}
                    </Button>
                  )}
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t("integrations:deleteOf", { name: key.label })}
                    onClick={() => onAsk({ what: "delete", key })}
                  >
                    {t("common:remove")}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Ask({
  asking: { what, key },
  onClose,
  onDone,
}: {
  asking: Asking;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const { t } = useTranslation(["integrations", "common"]);
  const { label } = key;
  return what === "disable" ? (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("integrations:disableKeyTitle", { label })}
      action={t("common:disable")}
      run={() => updateKey(key.keyId, false).then(onDone)}
    >
      {t("integrations:disableKeyBody")}
    </Confirm>
  ) : (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("integrations:deleteKeyTitle", { label })}
      action={t("common:remove")}
      typeToConfirm={label}
      run={() => deleteKey(key.keyId).then(onDone)}
    >
      {t("integrations:deleteKeyBody")}
    </Confirm>
  );
}
