import "@comanda/ui/base.css";
import "@comanda/ui/kit.css";
import "./shell.css";
import "../components/components.css";
import { followColorScheme } from "@comanda/ui/color-scheme.ts";
import { startTexts } from "@comanda/ui/translation.ts";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { textsOf } from "./texts.ts";

followColorScheme();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
// Both languages are part of the page: changing it needs no network.
const texts = startTexts({
  es: { first: async () => ({ default: textsOf("es") }) },
  en: { first: async () => ({ default: textsOf("en") }) },
});
void texts.then(() => createRoot(root).render(<App />));
