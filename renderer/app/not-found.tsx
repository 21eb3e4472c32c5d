import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Empty } from "../components/empty.tsx";

export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <Empty
      title={t("notFoundTitle")}
      action={
        <Button component={Link} href="/">
          {t("toService")}
        </Button>
      }
    >
      {t("notFoundAbout")}
    </Empty>
  );
}
