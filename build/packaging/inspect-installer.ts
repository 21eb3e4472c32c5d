import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Patterns that the NSIS script needs, each with the problem if it is missing. NSIS itself runs only for a release. */
const needed: [RegExp, string][] = [
  [/!macro customInstall\b[^]*?!macroend/, "it does nothing at an installation"],
  [/!macro customUnInstall\b[^]*?!macroend/, "it does nothing at an uninstallation"],
  [
    /customInstall\b[^]*?netsh advfirewall firewall add rule name="\$\{HUB_FIREWALL_RULE\}"/,
    "it adds no firewall rule",
  ],
  [/add rule [^\n]* program="\$INSTDIR\\\$\{APP_EXECUTABLE_FILENAME\}"/, "the rule is not for this program alone"],
  [/add rule [^\n]* dir=in action=allow [^\n]*profile=private\b/, "the rule is not for private networks alone"],
  [
    /customUnInstall\b[^]*?netsh\.exe" 'advfirewall firewall delete rule name="\$\{HUB_FIREWALL_RULE\}"/,
    "it leaves the rule",
  ],
];

/** Returns problems with the installer's firewall rule as sentences. `include`: `nsis.include` of electron-builder.yml. */
export function inspectInstaller(include: string | null | undefined, root: string): string[] {
  if (include === null || include === undefined) return ["the NSIS installer includes no script"];
  const file = path.join(root, include);
  if (!existsSync(file)) return [`the NSIS installer includes ${include}, which is missing`];
  const script = readFileSync(file, "utf8").replace(/^\s*;.*$/gm, "");
  // An update keeps the rule: it must neither ask for an administrator nor remove the rule.
  const macros = [...script.matchAll(/!macro \w+\n\s*(\S+ \S+)\n\s*(\S+ \S+)/g)].map(([, first, second]) => [
    first,
    second,
  ]);
  const asksEveryUpdate = macros.some((guard) => guard.join() !== "${ifNot} ${isUpdated},${andIfNot} ${Silent}");
  return [
    ...needed.flatMap(([pattern, problem]) => (pattern.test(script) ? [] : [`${include}: ${problem}`])),
    ...(asksEveryUpdate ? [`${include}: it asks for an administrator at each update`] : []),
  ];
}
