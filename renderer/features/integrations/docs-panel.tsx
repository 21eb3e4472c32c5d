import { Anchor } from "@mantine/core";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Panel } from "../../components/layout/panel.tsx";

/** Each API description as a page for people and as a file for tools, both served by this hub. */
const documents = [
  { key: "openapi", page: "/external/docs", file: "/external/openapi.json" },
  { key: "terminalApi", page: "/terminal/v1/docs", file: "/terminal/v1/openapi.json" },
  { key: "asyncapi", page: "/terminal/v1/messages", file: "/terminal/v1/asyncapi.yaml" },
] as const;

/** Links to the documentation for integrators. */
export function DocsPanel() {
  const { t } = useTranslation("integrations");
  return (
    <Panel title={t("docs")} about={t("docsAbout")}>
      <ul className="plain-list">
        {documents.map(({ key, page, file }) => (
          <li key={key}>
            <Anchor href={page} target="_blank" rel="noreferrer">
              {t(`document.${key}`)}
            </Anchor>{" "}
            <span className="soft">
              ·{" "}
              <Anchor
                href={file}
                target="_blank"
                rel="noreferrer"
                aria-label={t("fileOf", { name: t(`document.${key}`) })}
              >
                {t("file")}
              </Anchor>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
