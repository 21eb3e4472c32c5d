import { useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../components/sheet.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { approvers, managers, refunders } from "./people-list.ts";
import { PinPad } from "./pin-pad.tsx";
import { approvalRequest } from "../../people/approval-request.ts";
import "./person.css";

/** The last approver on this device is probably near it. */
let lastApprover: number | string | undefined;

/** The people who may approve, by kind of request. */
const lists = { any: approvers, managers, refunders };

/** Asks a second user to approve an act that the first may not do alone. */
export function ApprovalSheet() {
  const { t } = useTranslation("person");
  const terminal = useTerminal();
  const actor = useLive("actor");
  const people = useLive("people");
  const request = useStore(approvalRequest);
  if (request === null) return null;
  return (
    <Sheet title={t("approval.title")} onClose={() => request.answer(null)}>
      <p className="approval-what">{request.what}</p>
      <PinPad
        key={request.what}
        people={lists[request.of ?? "any"](people, actor?.user.id)}
        first={lastApprover}
        purpose="approval"
        onGrant={({ actorToken, user }) => {
          lastApprover = user.id;
          request.answer(terminal.approvedBy(actorToken));
        }}
      />
    </Sheet>
  );
}
