import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../components/empty.tsx";

/** Keeps a fault of one screen from taking the others with it. */
export class Broken extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <BrokenNotice /> : this.props.children;
  }
}

function BrokenNotice() {
  const { t } = useTranslation("shell");
  return (
    <Empty title={t("brokenTitle")} action={<Button onClick={() => location.reload()}>{t("reload")}</Button>}>
      {t("brokenAbout")}
    </Empty>
  );
}
