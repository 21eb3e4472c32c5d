import "../lib/schema-setup.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./styles.css";
import "../components/components.css";
import "../components/table.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startI18n } from "./i18n.ts";

startI18n();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element #root");
createRoot(root).render(<App />);
