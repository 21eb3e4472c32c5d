import { Stack } from "@mantine/core";
import type { ChainLinkState, ChainStatus } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";

const tones = {
  off: "idle",
  locked: "bad",
  connecting: "warn",
  connected: "good",
  refused: "bad",
  superseded: "bad",
} as const satisfies Record<ChainLinkState, string>;

/** The connection to the chain's headquarters, with buttons to join a chain and to leave it. */
export function ChainPanel() {
  const { t } = useTranslation("system");
  return (
    <LoadedPanel title={t("chain.title")} about={t("chain.about")} query={useHub("chain")} height={80}>
      {(status) => <Content status={status} />}
    </LoadedPanel>
  );
}

function Content({ status }: { status: ChainStatus }) {
  const { t } = useTranslation("system");
  const [isJoining, setJoining] = useState(false);
  const isOff = status.state === "off";
  const mustJoin = isOff || status.state === "locked" || status.state === "refused";
  const label = t(isOff ? "chain.join" : "chain.joinAgain");
  return (
    <Stack gap="md">
      <ChainFacts status={status} />
      <div className="button-row">
        {mustJoin && <ActionButton label={label} needsConfirmation run={async () => setJoining(true)} />}
        {!isOff && <LeaveButton chain={status.chainName ?? ""} />}
      </div>
      {isJoining && <JoinDialog label={label} address={status.address ?? ""} onClose={() => setJoining(false)} />}
    </Stack>
  );
}

function ChainFacts({ status }: { status: ChainStatus }) {
  const { t, format } = useTranslation(["system", "common"]);
  const { state, chainName, restaurantName, address, stoppedSince, enrolledAt, enrolledBy } = status;
  return (
    <Facts
      items={[
        fact(
          t("common:state"),
          <span role="status">
            <StatusMark tone={tones[state]}>{t(`chain.state.${state}`)}</StatusMark>{" "}
            {stoppedSince !== null && (
              <StatusMark tone="warn">{t("chain.stopped", { at: format.dateTime(stoppedSince) })}</StatusMark>
            )}
          </span>,
        ),
        chainName !== null && fact(t("chain.chain"), chainName),
        restaurantName !== null && fact(t("chain.restaurant"), restaurantName),
        address !== null && fact(t("common:address"), <span className="mono">{address}</span>),
        state !== "off" && fact(t("chain.upTo"), <CopyProgress status={status} />),
        state !== "off" &&
          fact(t("chain.customers"), t(status.sharesCustomers ? "chain.customersSent" : "chain.customersStay")),
        state !== "off" &&
          fact(t("chain.diagnosis"), t(status.allowsDiagnosis ? "chain.diagnosisAllowed" : "chain.diagnosisRefused")),
        enrolledAt !== null &&
          fact(t("chain.enrolled"), t("chain.enrolledBy", { at: format.dateTime(enrolledAt), by: enrolledBy ?? "" })),
      ]}
    />
  );
}

function CopyProgress({ status: { full, isCurrent, confirmedUntil } }: { status: ChainStatus }) {
  const { t, format } = useTranslation("system");
  if (full !== null) {
    return t("chain.sending", { sent: format.number(full.sent), of: format.number(full.of) });
  }
  if (isCurrent) return t("chain.everything");
  if (confirmedUntil === null) return t("chain.nothing");
  return t("chain.everythingUpTo", { at: format.dateTime(confirmedUntil) });
}

function LeaveButton({ chain }: { chain: string }) {
  const { t } = useTranslation("system");
  return (
    <ActionButton
      label={t("chain.leave")}
      needsConfirmation
      confirm={{ body: t("chain.leaveBody", { chain }), danger: true }}
      run={() => callHub("leaveChain")}
      done={t("chain.left")}
    />
  );
}

function JoinDialog({
  label,
  address: initialAddress,
  onClose,
}: {
  label: string;
  address: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(["system", "common"]);
  const [address, setAddress] = useState(initialAddress);
  const [code, setCode] = useState("");
  return (
    <FormDialog
      title={label}
      submitLabel={label}
      isReady={address.trim() !== "" && code.trim() !== ""}
      onClose={onClose}
      run={async () => {
        const { chainName } = await callHub("enrolInChain", { body: { address: address.trim(), code: code.trim() } });
        notify(t("chain.joined", { chain: chainName ?? "" }));
      }}
    >
      <p className="soft">{t("chain.joinAbout")}</p>
      <TextField
        label={t("common:address")}
        placeholder="https://"
        value={address}
        maxLength={300}
        inputMode="url"
        autoComplete="off"
        onChange={setAddress}
        data-autofocus
      />
      <TextField
        label={t("chain.code")}
        placeholder="ABCD-2345"
        value={code}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={setCode}
      />
    </FormDialog>
  );
}
