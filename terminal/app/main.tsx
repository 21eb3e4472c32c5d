import "@comanda/ui/base.css";
import "@comanda/ui/kit.css";
import "../components/touch.css";
import "./shell.css";
import "../features/staff/staff.css";
import { createRoot } from "react-dom/client";
import { followColorScheme } from "@comanda/ui/color-scheme.ts";
import { restoreDevice } from "../lib/device/device.ts";
import { startTexts } from "@comanda/ui/translation.ts";
import { App } from "./app.tsx";

followColorScheme();
const texts = startTexts({
  es: { first: () => import("virtual:texts/es/first"), others: () => import("virtual:texts/es/others") },
  en: { first: () => import("virtual:texts/en/first"), others: () => import("virtual:texts/en/others") },
});
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
void Promise.all([texts, restoreDevice()]).then(() => createRoot(root).render(<App />));
