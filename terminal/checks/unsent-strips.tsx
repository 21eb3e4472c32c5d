import type { StoredLine } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { IconFlame, IconToolsKitchen2 } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTerminal } from "../lib/connection/pos.ts";
import { useWait } from "../lib/connection/use-wait.ts";
import { countUnsent, heldCourses, lastSentAt, paidUnsentLines, toSend } from "./check-lines.ts";
import { sendCheck } from "./send-check.ts";
import "./unsent-strips.css";

/** The held courses of a check, each with a button to send it. */
export function HeldCourses({
  order,
  of = order.snapshot.lines,
  isNextElsewhere = false,
}: {
  order: LocalOrder;
  of?: readonly StoredLine[];
  isNextElsewhere?: boolean;
}) {
  const courses = heldCourses(of).slice(isNextElsewhere ? 1 : 0);
  return courses.map(({ course, lines }) => <HeldCourse key={course} order={order} course={course} lines={lines} />);
}

function HeldCourse({ order, course, lines }: { order: LocalOrder; course: number; lines: readonly StoredLine[] }) {
  const { t } = useTranslation(["order", "check"]);
  const terminal = useTerminal();
  const wait = useWait(lastSentAt(order.snapshot.lines));
  const count = countUnsent(lines);
  return (
    <div className="strip" data-tone="accent">
      <span className="strip-text">
        <span>
          <strong>{t("check:course", { course })}</strong> · {t("dishes", { count })}
        </span>
        <span className="soft">{wait === "" ? t("held") : t("heldFor", { wait })}</span>
      </span>
      <ActButton size="small" aria-label={t("fire", { course })} onAct={() => void sendCheck(terminal, order, lines)}>
        <IconFlame size={20} aria-hidden />
        {t("fireShort")}
      </ActButton>
    </div>
  );
}

/** The unsent lines of a paid check, with buttons to send them. Renders nothing once all are sent. */
export function PaidUnsent({ order }: { order: LocalOrder }) {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const lacking = paidUnsentLines(order.snapshot);
  const lines = toSend(lacking);
  const { checkNumber } = order.snapshot;
  return (
    <div className="rows check-strips">
      <p className="check-strips-of">
        {checkNumber == null ? t("paidUnsent") : t("paidUnsentCheck", { number: checkNumber })}
      </p>
      {lines.length > 0 && (
        <div className="strip" data-tone="warn">
          <span className="strip-text">
            <span>{t("dishes", { count: countUnsent(lines) })}</span>
          </span>
          <ActButton size="small" kind="main" onAct={() => void sendCheck(terminal, order, lines)}>
            <IconToolsKitchen2 size={20} aria-hidden />
            {t("send")}
          </ActButton>
        </div>
      )}
      <HeldCourses order={order} of={lacking} />
    </div>
  );
}
