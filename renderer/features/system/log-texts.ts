import type { TextTable } from "../../lib/language.ts";

export const logTexts = {
  logs: ["Registros", "Logs"],
  level: ["Desde", "From"],
  levelHead: ["Nivel", "Level"],
  levelNames: {
    debug: ["detalle", "detail"],
    info: ["info", "info"],
    warn: ["aviso", "warning"],
    error: ["error", "error"],
  },
  levels: {
    debug: ["todo", "everything"],
    info: ["información", "information"],
    warn: ["avisos", "warnings"],
    error: ["errores", "errors"],
  },
  area: ["Área", "Area"],
  anyArea: ["Todas las áreas", "All areas"],
  searchLogs: ["Buscar en los registros", "Search the logs"],
  exportLogs: ["Exportar", "Export"],
  noLogsTitle: ["Nada coincide", "Nothing matches"],
  noLogs: ["Baje el nivel o borre la búsqueda.", "Lower the level or clear the search."],
  audit: ["Quién hizo qué", "Who did what"],
  auditAbout: [
    "Cada acción de un gerente en este hub, con su nota.",
    "Every manager action on this hub, with its note.",
  ],
  searchAudit: ["Buscar por persona, acción u objeto", "Search by person, action or target"],
  when: ["Cuándo", "When"],
  who: ["Quién", "Who"],
  action: ["Acción", "Action"],
  target: ["Objeto", "Target"],
  note: ["Nota", "Note"],
  noAuditTitle: ["Nada todavía", "Nothing yet"],
  noAudit: [
    "Aquí queda registrado quién liberó, revirtió, reintentó, creó o eliminó algo.",
    "This records who released, reverted, retried, created or deleted something.",
  ],
} as const satisfies TextTable;
