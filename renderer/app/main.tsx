import "@comanda/ui/schema-setup.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@comanda/ui/base.css";
import "./styles.css";
import "../components/components.css";
import "../components/table.css";
import "./print.css";
import { createRoot } from "react-dom/client";
import { shareSession } from "../lib/session.ts";
import { App } from "./app.tsx";
import { startI18n } from "@comanda/ui/start-i18n.ts";
import { textsOf } from "./texts.ts";

startI18n({ es: textsOf("es"), en: textsOf("en") });
shareSession();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
createRoot(root).render(<App />);
