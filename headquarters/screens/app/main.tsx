import "@comanda/ui/base.css";
import "@comanda/ui/kit.css";
import "./shell.css";
import "../components/components.css";
import "../components/tables.css";
import { followColorScheme } from "@comanda/ui/color-scheme.ts";
import { startTexts } from "@comanda/ui/translation.ts";
import { createRoot } from "react-dom/client";
import { restoreAddress } from "../features/sign-in/stored-address.ts";
import { App } from "./app.tsx";

followColorScheme();
restoreAddress();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
const texts = startTexts({
  es: { first: () => import("virtual:texts/es") },
  en: { first: () => import("virtual:texts/en") },
});
void texts.then(() => createRoot(root).render(<App />));
