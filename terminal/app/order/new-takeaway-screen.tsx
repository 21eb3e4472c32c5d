import { isActive } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useOrder } from "../../lib/connection/use-order.ts";
import { CheckScreen } from "./check-screen.tsx";
import { OrderView } from "./order-view.tsx";

/** A check without a table, which the first tile opens. */
export function NewTakeawayScreen() {
  const { t } = useTranslation("order");
  const [opened, setOpened] = useState("");
  const order = useOrder(opened);
  if (order !== undefined && !isActive(order.snapshot.status)) return <CheckScreen posReference={opened} />;
  return (
    <OrderView
      title={t("takeout")}
      order={order}
      draft={{ orderType: "takeout", tableId: null }}
      onChoose={setOpened}
    />
  );
}
