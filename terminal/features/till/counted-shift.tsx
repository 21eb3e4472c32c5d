import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive } from "../../lib/pos.ts";
import { useApproval } from "../../people/use-approval.ts";
import { useFollowCount } from "./use-follow-count.ts";

/** A count is kept and waits for a manager: who approves it here, or counts again. */
export function CountedShift({ shiftId, onRecount }: { shiftId: string; onRecount: () => void }) {
  const { t } = useTranslation("till");
  const askApproval = useApproval();
  const follow = useFollowCount();
  const conflict = useLive("conflicts").find(
    ({ intent }) => intent.type === "TILL_COUNT" && intent.shiftId === shiftId,
  );

  async function approve(id: string): Promise<void> {
    const approved = await askApproval(t("approveWhat"), "managers");
    if (approved !== null) follow(approved.retry(id));
  }

  return (
    <section className="till-counted" data-tone="warn">
      <p>{t("needsApproval")}</p>
      <div className="till-acts">
        {conflict !== undefined && (
          <ActButton kind="main" onAct={() => void approve(conflict.id)}>
            {t("approve")}
          </ActButton>
        )}
        <ActButton onAct={onRecount}>{t("recount")}</ActButton>
      </div>
    </section>
  );
}
