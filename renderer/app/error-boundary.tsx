import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Empty } from "../components/empty.tsx";

/** Shows a notice in place of a screen that failed, so that the others still work. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <FailedScreen /> : this.props.children;
  }
}

function FailedScreen() {
  const { t } = useTranslation("shell");
  return (
    <Empty isScreen title={t("failedTitle")} action={<Button onClick={() => location.reload()}>{t("reload")}</Button>}>
      {t("failedAbout")}
    </Empty>
  );
}
