import { Language, type DesktopSettings } from "@comanda/protocol";
import { z } from "zod";
import { parseJson } from "../../lib/parse-json.ts";

const DRAFT = "comanda-draft-setup";

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The values as typed: an address may be incomplete, and fields may be blank. */
const Entered = z.object({
  language: Language,
  hubName: z.string(),
  port: z.int(),
  backOffice: z.object({ url: z.string(), database: z.string(), login: z.string() }),
  plugins: z.array(z.string()),
  startAtLogin: z.boolean(),
}) satisfies z.ZodType<DesktopSettings>;

const Draft = z.object({ of: z.string(), settings: Entered });

/**
 * Keeps the wizard's input until its page opens again: in `page`, which the app takes along to another port, and in `browser`,
 * which outlives the app. `saved` are the settings with which the wizard began: a draft for other settings is ignored.
 */
export function createSetupDraft({ page, browser }: { page: DraftStorage; browser: DraftStorage }) {
  return {
    read(saved: DesktopSettings): DesktopSettings | null {
      const draft = readDraft(page) ?? readDraft(browser);
      return draft?.of === beginningOf(saved) ? draft.settings : null;
    },
    write(saved: DesktopSettings, settings: DesktopSettings): void {
      const text = JSON.stringify({ of: beginningOf(saved), settings });
      page.setItem(DRAFT, text);
      browser.setItem(DRAFT, text);
    },
    forget(): void {
      page.removeItem(DRAFT);
      browser.removeItem(DRAFT);
    },
  };
}

/** Identifies the saved settings, without the language, which is saved as soon as it is chosen. */
function beginningOf(settings: DesktopSettings): string {
  return JSON.stringify({ ...settings, language: null });
}

function readDraft(storage: DraftStorage): z.infer<typeof Draft> | undefined {
  return Draft.safeParse(parseJson(storage.getItem(DRAFT) ?? "")).data;
}
