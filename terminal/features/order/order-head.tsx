import { IconArrowLeft } from "@tabler/icons-react";
import { memo, type ComponentProps } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { OrderTarget } from "./order-target.tsx";

/** What stands before the search: the way back, and whom and when the next dish is for. */
export const OrderHead = memo(function OrderHead({
  home,
  title,
  ...target
}: { home: string; title: string | null } & ComponentProps<typeof OrderTarget>) {
  const { t } = useTranslation("order");
  return (
    <>
      <Link href={home} className="act order-back" data-size="small" aria-label={t("back")}>
        <IconArrowLeft size={22} aria-hidden />
      </Link>
      {title !== null && <h1 className="order-title">{title}</h1>}
      <OrderTarget {...target} />
    </>
  );
});
