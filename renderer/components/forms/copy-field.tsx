import { Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

const SHOWN_MS = 2000;

/** A text shown whole, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation("common");
  const shown = useRef<HTMLPreElement>(null);
  const [copied, setCopied] = useState(false);

  async function copy() {
    if (shown.current === null || !(await copyText(value, shown.current))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  }

  return (
    <div className="copy-field">
      <span className="copy-label">{label}</span>
      <div className="chips copy-row">
        <pre ref={shown} className="copy-value">
          {value}
        </pre>
        <Button
          variant="default"
          size="xs"
          onClick={() => void copy()}
          aria-label={`${t("copy")}: ${label}`}
          leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        >
          {copied ? t("copied") : t("copy")}
        </Button>
      </div>
    </div>
  );
}

/**
 * Copies the text and returns whether that worked. Browsers offer the clipboard to secure pages only, and may refuse. Then the
 * shown text is selected and copied. If that fails too, the text stays selected for the keyboard.
 */
async function copyText(value: string, shown: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      // Refused by the browser: the selection below is copied instead.
    }
  }
  window.getSelection()?.selectAllChildren(shown);
  return document.execCommand("copy");
}
