// The built-in page: why the hub does not run, what that means for service, and a button for each way out.
import "@comanda/ui/base.css";
import "@comanda/ui/kit.css";
import "./page.css";
import { followColorScheme } from "@comanda/ui/color-scheme.ts";
import { startTexts } from "@comanda/ui/translation.ts";
import type { DesktopBridge } from "@comanda/protocol";
import { createRoot } from "react-dom/client";
import { FailurePage } from "./failure-page.tsx";
import { textsOf } from "./texts.ts";

const { desktop } = globalThis as unknown as { desktop: DesktopBridge };
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
followColorScheme();
void startTexts({
  es: { first: async () => ({ default: textsOf("es") }) },
  en: { first: async () => ({ default: textsOf("en") }) },
}).then(() => createRoot(root).render(<FailurePage desktop={desktop} />));
