import "@comanda/ui/schema-setup.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@comanda/ui/base.css";
import "@comanda/ui/kit.css";
import "./styles.css";
import "../components/components.css";
import "../components/tables/table.css";
import "./print.css";
import { createRoot } from "react-dom/client";
import { shareSession } from "../lib/session.ts";
import { App } from "./app.tsx";
import { startTexts } from "@comanda/ui/translation.ts";

shareSession();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
const texts = startTexts({
  es: { first: () => import("virtual:texts/es") },
  en: { first: () => import("virtual:texts/en") },
});
void texts.then(() => createRoot(root).render(<App />));
