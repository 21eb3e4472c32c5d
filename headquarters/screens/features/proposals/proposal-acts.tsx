import { ActButton } from "@comanda/ui/act-button.tsx";
import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { useLocation } from "wouter";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { callHq } from "../../lib/hq.ts";
import { useHasRole } from "../../lib/person.ts";
import { countOf } from "./proposal-states.ts";

/** Buttons to undo a proposal where it was applied, and to withdraw it where it was not yet. */
export function ProposalActs({ proposal }: { proposal: HqProposalRow }) {
  const { t } = useTranslation("proposals");
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<"undo" | "withdraw" | null>(null);
  const { id, terms, states, withdrawnAt, undoneBy, mayChange } = proposal;
  const applied = countOf(states, "applied");
  const pending = countOf(states, "waiting", "conflict", "unreachable", "sent");
  const canUndo = mayChange && applied > 0 && undoneBy === null;
  const canWithdraw = mayChange && pending > 0 && withdrawnAt === null;
  const isOthersToo = useHasRole("region") && terms.kind === "stock" && !mayChange;
  const close = () => setOpen(null);
  return (
    <>
      {isOthersToo && <p className="soft">{t("othersToo")}</p>}
      {(canUndo || canWithdraw) && (
        <div className="tools">
          {canUndo && <ActButton onAct={() => setOpen("undo")}>{t("undo")}</ActButton>}
          {canWithdraw && (
            <ActButton kind="danger" onAct={() => setOpen("withdraw")}>
              {t("withdraw")}
            </ActButton>
          )}
        </div>
      )}
      {open === "undo" && (
        <ConfirmDialog
          title={t("undo")}
          about={t("undoAbout", { count: applied })}
          action={t("undoIt")}
          conflict={t("tooLate")}
          onClose={close}
          work={async () => {
            const made = await callHq("undoProposal", { id });
            navigate(`/proposals/${made.id}`);
          }}
        />
      )}
      {open === "withdraw" && (
        <ConfirmDialog
          title={t("withdraw")}
          about={t("withdrawAbout", { count: pending })}
          action={t("withdrawIt")}
          conflict={t("tooLate")}
          onClose={close}
          work={() => callHq("withdrawProposal", { id })}
        />
      )}
    </>
  );
}
