// Generates dist/docs/texts.md: all texts in both languages side by side, for review.
import { settingNames, settingTexts, type Language } from "@comanda/protocol";

/** A text with its place. `key` is its path in its table. */
export interface ShownText {
  table: string;
  key: string;
  es: string;
  en: string;
}

/** The one word for each thing, and the words not to use for it. */
export const glossary: readonly { thing: string; es: string; en: string; forbiddenEs: readonly string[] }[] = [
  {
    thing: "what a table pays",
    es: "la cuenta",
    en: "check",
    forbiddenEs: ["orden", "órdenes", "factura", "ticket", "cheque"],
  },
  { thing: "what the kitchen gets", es: "la comanda", en: "ticket", forbiddenEs: ["tique"] },
  {
    thing: "the device that orders are taken on",
    es: "el terminal",
    en: "terminal",
    forbiddenEs: ["la terminal", "una terminal", "las terminales"],
  },
  { thing: "whom at a table a dish is for", es: "el asiento", en: "seat", forbiddenEs: ["comensal"] },
  { thing: "the list of dishes", es: "el menú", en: "menu", forbiddenEs: ["carta"] },
  { thing: "food that leaves without a table", es: "para llevar", en: "takeout", forbiddenEs: [] },
  { thing: "how many sit at a table", es: "las personas", en: "guests", forbiddenEs: ["comensales"] },
  { thing: "who serves", es: "el mesero", en: "waiter, staff", forbiddenEs: ["camarero", "mozo"] },
  { thing: "taking money", es: "cobrar", en: "take payment", forbiddenEs: [] },
  {
    thing: "a check or line that does not count",
    es: "anular",
    en: "discard (check), void (line)",
    forbiddenEs: ["cancelar la cuenta"],
  },
  { thing: "a sum of money", es: "el monto", en: "amount", forbiddenEs: ["importe", "importes"] },
  {
    thing: "who signs in",
    es: "el usuario",
    en: "user, account",
    forbiddenEs: ["cuenta de gerente", "cuenta del hub", "cuenta en el back-office"],
  },
  {
    thing: "the fiscal number",
    es: "el comprobante (NCF)",
    en: "fiscal number (NCF)",
    forbiddenEs: ["número fiscal", "números fiscales", "boleta"],
  },
  { thing: "the point-of-sale session", es: "la caja", en: "register", forbiddenEs: ["cajón"] },
  { thing: "the end of the evening", es: "cerrar el turno", en: "close the shift", forbiddenEs: ["jornada"] },
  {
    thing: "a copy of the data file",
    es: "la copia de seguridad",
    en: "backup",
    forbiddenEs: ["backup", "respaldo", "copia de respaldo"],
  },
  {
    thing: "what the hub tells other systems",
    es: "la notificación",
    en: "webhook, notification",
    forbiddenEs: ["webhook", "webhooks"],
  },
  { thing: "an add-on", es: "el complemento", en: "plugin", forbiddenEs: ["plugin", "plugins"] },
  { thing: "a system's key", es: "la llave", en: "key", forbiddenEs: ["token", "api key"] },
  { thing: "a person's PIN", es: "la clave", en: "PIN", forbiddenEs: [] },
  { thing: "a setting", es: "el ajuste", en: "setting", forbiddenEs: ["configuraciones", "opciones"] },
  {
    thing: "the computer that the hub runs on",
    es: "la PC",
    en: "PC",
    forbiddenEs: ["el PC", "el equipo", "este equipo", "ordenador", "computador", "computadora"],
  },
  {
    thing: "the accounting server",
    es: "el back-office",
    en: "back-office",
    forbiddenEs: ["backoffice", "back office", "ERP", "oficina"],
  },
  { thing: "this product on the PC", es: "el hub", en: "hub", forbiddenEs: ["concentrador"] },
];

type TextsOf = (language: Language) => unknown;

/** Loads a module by path: its package is compiled for a browser or the app, so its types are not available here. */
async function load<T>(file: string): Promise<T> {
  return (await import(new URL(`../${file}`, import.meta.url).href)) as T;
}

const { textsOf: screenTexts } = await load<{ textsOf: TextsOf }>("renderer/app/texts.ts");
const { textsOf: terminalTexts } = await load<{ textsOf: TextsOf }>("terminal/app/texts.ts");
const { textsOf: headquartersTexts } = await load<{ textsOf: TextsOf }>("headquarters/screens/app/texts.ts");
const { textsOf: trayTexts } = await load<{ textsOf: TextsOf }>("electron/window/texts.ts");
const { textsOf: failureTexts } = await load<{ textsOf: TextsOf }>("electron/failure-page/texts.ts");
/** Explanations of important log lines, by line. */
export const { logMessages } = await load<{ logMessages: Readonly<Record<string, string>> }>(
  "renderer/features/system/log-messages.ts",
);

const languages: readonly Language[] = ["es", "en"];

/** Arguments to render a table's functions as sentences: a count, or a failure to start. */
const samples: readonly unknown[] = [2, { heldBy: "Docker Desktop" }];
/** Further arguments for functions with more parameters: an age, and another count. */
const furtherSamples: readonly unknown[] = ["2 h", 2];

/** Returns all texts that a person may read, in the order of the tables. */
export function allTexts(): ShownText[] {
  return [
    ...table("screens", (language) => screenTexts(language)),
    ...table("terminal", (language) => terminalTexts(language)),
    ...table("headquarters", (language) => headquartersTexts(language)),
    ...table("settings", (language) =>
      Object.fromEntries(settingNames.map((name) => [name, settingTexts[language][name]])),
    ),
    ...table("log", (language) =>
      Object.fromEntries(Object.entries(logMessages).map(([line, es]) => [line, language === "es" ? es : line])),
    ),
    ...table("tray and window", (language) => trayTexts(language)),
    ...table("page of a hub that does not start", (language) => failureTexts(language)),
  ];
}

function table(name: string, textsOf: TextsOf): ShownText[] {
  const [es, en] = languages.map((language) => new Map(flatten(textsOf(language))));
  // Texts of one language alone are listed too, so that they are noticed.
  const keys = new Set([...(es?.keys() ?? []), ...(en?.keys() ?? [])]);
  return [...keys].map((key) => ({ table: name, key, es: es?.get(key) ?? "", en: en?.get(key) ?? "" }));
}

function flatten(value: unknown, path: readonly string[] = []): [string, string][] {
  if (typeof value === "string") return [[path.join("."), value]];
  if (typeof value === "function") {
    const sample = path[0] === "title" ? samples[1] : samples[0];
    return [[path.join("."), String((value as (...args: unknown[]) => unknown)(sample, ...furtherSamples))]];
  }
  return Object.entries(value ?? {}).flatMap(([key, inner]) => flatten(inner, [...path, key]));
}

const intro = `# Texts

Generated by \`npm run generate\` from the tables of texts: what people read, in both languages side by side. A sentence is
changed in its table; this list is for reading them one after the other. \`{{name}}\` stands for a value.

## One word for one thing
`;

/** Returns the whole list as Markdown. */
export function textsDocument(): string {
  const terms = glossary.map(
    ({ thing, es, en, forbiddenEs }) => `| ${thing} | ${es} | ${en} | ${forbiddenEs.join(", ")} |`,
  );
  const sections = Map.groupBy(
    allTexts(),
    ({ table: name, key }) => `${name}: ${hasParts(name) ? key.split(".")[0] : "all"}`,
  );
  return [
    intro,
    "| thing | Spanish | English | not in Spanish |",
    "|---|---|---|---|",
    ...terms,
    ...[...sections].flatMap(([title, texts]) => [
      "",
      `## ${title.replace(/^screens: /, "").replace(/: all$/, "")}`,
      "",
      "| key | Spanish | English |",
      "|---|---|---|",
      ...texts.map(
        ({ key, es, en, table: name }) =>
          `| \`${hasParts(name) ? key.split(".").slice(1).join(".") : key}\` | ${cell(es)} | ${cell(en)} |`,
      ),
    ]),
    "",
  ].join("\n");
}

/** Whether the first part of a key names a part of the application. */
function hasParts(name: string): boolean {
  return name === "screens" || name === "terminal" || name === "headquarters";
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}
