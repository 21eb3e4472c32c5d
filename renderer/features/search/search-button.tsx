import { ActionIcon, Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState, type ComponentType } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { notify } from "../../components/forms/use-act.ts";
import "./search-button.css";

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
/** Leaves time to read and render the first screen, in ms. */
const PREFETCH_AFTER_MS = 3_000;

const loadWindow = () => import("./search-window.tsx");

/** Opens the global search, as its keyboard shortcut does on every screen. Its window is a separate chunk, preloaded. */
export function SearchButton() {
  const { t } = useTranslation("search");
  const [Window, setWindow] = useState<ComponentType | null>(null);

  async function open() {
    try {
      const { SearchWindow, openSearch } = await loadWindow();
      setWindow(() => SearchWindow);
      openSearch();
    } catch {
      notify(t("failed"), { bad: true });
    }
  }
  useHotkeys([["mod+K", () => void open()]], []);
  useEffect(() => {
    const timer = setTimeout(() => void loadWindow().catch(() => undefined), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <>
      <Button
        visibleFrom="md"
        size="xs"
        variant="default"
        leftSection={<IconSearch size={15} aria-hidden />}
        onClick={() => void open()}
      >
        {t("open")}
        <kbd className="search-keys">{KEYS}</kbd>
      </Button>
      <ActionIcon
        hiddenFrom="md"
        variant="default"
        size={30}
        aria-label={t("openWith", { keys: KEYS })}
        onClick={() => void open()}
      >
        <IconSearch size={17} aria-hidden />
      </ActionIcon>
      {Window !== null && <Window />}
    </>
  );
}
