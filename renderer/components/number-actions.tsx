import { isMistyped } from "@comanda/protocol";
import { isSaleType } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { callHub, useHub } from "../lib/hub.ts";
import { ActionButton } from "./forms/action-button.tsx";
import { FormDialog } from "./forms/dialog.tsx";
import { useBackOfficeText } from "./failures/back-office-reason.ts";
import { notify } from "./forms/use-act.ts";
import { CheckField, SelectField, TextField } from "./forms/form-fields.tsx";
import { StatusMark } from "./layout/status-mark.tsx";

interface NumberActionsProps {
  posReference: string;
  type: string | undefined;
  rnc: string | null | undefined;
  /** The buyer's name. */
  name: string | null | undefined;
  /** The code of the refusal, if the number was refused. */
  errorCode: string | null | undefined;
}

/** Actions of a manager for a fiscal number that was refused or does not arrive. */
export function NumberActions({ posReference, type, rnc, name, errorCode }: NumberActionsProps) {
  const { t } = useTranslation("fiscal");
  const [retrying, setRetrying] = useState(false);
  return (
    <div className="button-row">
      <ActionButton
        size="xs"
        label={t("retryNumber")}
        name={t("retryNumberOf", { reference: posReference })}
        run={async () => setRetrying(true)}
      />
      <ActionButton
        size="xs"
        label={t("skipNumber")}
        name={t("skipNumberOf", { reference: posReference })}
        confirm={{ body: t("skipNumberBody"), danger: true }}
        run={() => callHub("decideNumber", { params: { posReference }, body: { action: "skip" } })}
        done={t("numberSkipped", { reference: posReference })}
      />
      {retrying && (
        <RetryDialog
          posReference={posReference}
          before={{ type: type ?? "", rnc: rnc ?? "", name: name ?? "", errorCode: errorCode ?? null }}
          onClose={() => setRetrying(false)}
        />
      )}
    </div>
  );
}

interface RetryDialogProps {
  posReference: string;
  before: Record<"type" | "rnc" | "name", string> & { errorCode: string | null };
  onClose: () => void;
}

function RetryDialog({ posReference, before, onClose }: RetryDialogProps) {
  const { t } = useTranslation("fiscal");
  const { errorCode } = before;
  const [type, setType] = useState(before.type);
  const [rnc, setRnc] = useState(before.rnc);
  const [name, setName] = useState(before.name);
  // Another check already has this number, and a retry would get the same number again.
  const isTaken = errorCode === "NCF_IN_USE" || errorCode === "NCF_CONFLICT" || errorCode === "NCF_INVALID";
  const [replaces, setReplaces] = useState(isTaken);
  const reasonOf = useBackOfficeText();
  const sequences = useHub("fiscal").data?.sequences ?? [];
  // Only sale types: credit notes and purchases have sequences, too.
  const types = new Set([...sequences.map((sequence) => sequence.type).filter(isSaleType), type]);
  return (
    <FormDialog
      title={t("retryNumberOf", { reference: posReference })}
      submitLabel={t("retryNumber")}
      isReady={type !== ""}
      basis={JSON.stringify(before)}
      onClose={onClose}
      run={async () => {
        const action = replaces ? "replace" : "retry";
        const body = { action, type, rnc: rnc.trim() || null, name: name.trim() || null } as const;
        const { ncf, fiscal } = await callHub("decideNumber", { params: { posReference }, body });
        if (ncf !== undefined) notify(t("numberAssigned", { ncf }));
        else if (fiscal.status === "failed")
          notify(reasonOf({ words: fiscal.error }, fiscal.errorCode), { title: t("numberRefused"), bad: true });
        else notify(t("numberAsked"));
      }}
    >
      <SelectField label={t("ncfType")} data={[...types].filter(Boolean)} value={type} onChange={setType} />
      <TextField
        field="rnc"
        label={t("rnc")}
        description={isMistyped(rnc) ? <StatusMark tone="warn">{t("rncMistyped")}</StatusMark> : t("rncAbout")}
        value={rnc}
        maxLength={32}
        onChange={setRnc}
        data-autofocus
      />
      <TextField field="name" label={t("buyerName")} value={name} maxLength={250} onChange={setName} />
      {(isTaken || errorCode === "NCF_ALREADY_RESERVED") && (
        <CheckField
          label={t("replaceNumber")}
          description={t("replaceNumberAbout")}
          checked={replaces}
          onChange={setReplaces}
        />
      )}
    </FormDialog>
  );
}
