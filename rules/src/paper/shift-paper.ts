import type { Block, ShiftMethod, ShiftReport } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import { cashOfMove } from "../till/shift-money.ts";
import type { PaperContext } from "./paper-context.ts";
import { centered, joinFacts, row, RULE, text } from "./pieces.ts";

/** The report of a shift: the Z of a closed one, or the full X of an open one. */
export function shiftPaper(report: ShiftReport, context: PaperContext): Block[] {
  const { format } = context;
  const { state, tillName, openedAt, openedBy, closedAt, closedBy, approvedBy } = report;
  return [
    ...titleBlocks(report),
    RULE,
    text(tillName, { bold: true }),
    row("Abrió", joinFacts([openedBy, format.dateTime(openedAt)])),
    ...(closedAt === null ? [] : [row("Cerró", joinFacts([closedBy, format.dateTime(closedAt)]))]),
    ...(approvedBy === null ? [] : [row("Autorizó", approvedBy)]),
    RULE,
    row("Fondo inicial", format.money(report.float)),
    ...report.floats.map(({ currency, amount }) =>
      row(`Fondo inicial ${currency}`, format.amount(amount), { indent: 2 }),
    ),
    ...report.byMethod.flatMap((method) => methodBlocks(method, context)),
    ...countBlocks(report, context),
    ...moveBlocks(report, context),
    RULE,
    row("VENTAS", format.money(report.sales), { size: "tall", bold: true }),
    ...[
      ["Devoluciones", report.refunds] as const,
      ["Descuentos", report.discounts] as const,
      ["Anulaciones", report.voids] as const,
      ["Cortesías", report.comps] as const,
    ].map(([name, { count, amount }]) => row(`${name} (${count})`, format.money(amount))),
    ...tipBlocks(report, context),
    RULE,
    row("Cuentas cobradas", String(report.checks.count)),
    ...report.fiscal.map(({ type, from, to, count }) =>
      row(`${type} (${count})`, from === to ? from : `${from} a ${to}`),
    ),
    ...lateBlocks(report, context),
    ...(state === "closed" ? [{ kind: "feed", lines: 2 } as const, text("Firma: ____________________")] : []),
  ];
}

/** What a cashier may see of a shift before the count: nothing that reveals the expected cash. */
export function blindShiftPaper(
  shift: { tillName: string; openedAt: string; openedBy: string; at: string },
  { format }: PaperContext,
): Block[] {
  return [
    centered("TURNO DE CAJA (X)", { size: "tall", bold: true }),
    centered("Sin montos hasta el conteo"),
    RULE,
    text(shift.tillName, { bold: true }),
    row("Abrió", joinFacts([shift.openedBy, format.dateTime(shift.openedAt)])),
    row("Impreso", format.dateTime(shift.at)),
  ];
}

function titleBlocks({ state }: ShiftReport): Block[] {
  return [centered(state === "closed" ? "CIERRE DE CAJA (Z)" : "TURNO DE CAJA (X)", { size: "tall", bold: true })];
}

function methodBlocks(
  { methodId, currency, sales, tips, refunded, foreign = 0, expected, counted, difference, withCash }: ShiftMethod,
  { format, methodName }: PaperContext,
): Block[] {
  const amount = (value: number): string => (currency === undefined ? format.money(value) : format.amount(value));
  const fact = (name: string, value: number): Block[] => (value === 0 ? [] : [row(name, amount(value), { indent: 2 })]);
  return [
    RULE,
    text(joinFacts([methodName(methodId), currency]), { bold: true }),
    row("Ventas", amount(sales), { indent: 2 }),
    ...fact("Propinas", tips),
    ...fact("Devuelto", -refunded),
    ...fact("En otra moneda", -foreign),
    ...(withCash === undefined
      ? [row("Esperado", amount(expected), { indent: 2 })]
      : [row("Se cuenta con el resto del efectivo", "", { indent: 2 })]),
    ...(counted === null ? [] : [row("Contado", amount(counted), { indent: 2 })]),
    ...(difference === null ? [] : [row(differenceName(difference), amount(difference), { indent: 2, bold: true })]),
  ];
}

function differenceName(difference: number): string {
  if (difference === 0) return "Cuadra";
  return difference > 0 ? "Sobrante" : "Faltante";
}

/** All counts of a shift that was counted several times. A single count is already listed by method. */
function countBlocks({ counts }: ShiftReport, { format, methodName }: PaperContext): Block[] {
  if (counts.length < 2) return [];
  return [
    RULE,
    text("Conteos", { bold: true }),
    ...counts.flatMap(({ at, by, approvedBy, counted, note }) => [
      text(joinFacts([format.time(at), by, approvedBy === undefined ? null : `Autorizó ${approvedBy}`, note])),
      ...counted.map(({ methodId, currency, amount }) =>
        row(
          joinFacts([methodName(methodId), currency]),
          currency === undefined ? format.money(amount) : format.amount(amount),
          {
            indent: 2,
          },
        ),
      ),
    ]),
  ];
}

function moveBlocks({ moves }: ShiftReport, { format }: PaperContext): Block[] {
  if (moves.length === 0) return [];
  const names = { in: "Entrada", out: "Salida", drop: "Retiro" };
  return [
    RULE,
    text("Movimientos", { bold: true }),
    ...moves.map(({ kind, amount, reason, at, userName }) =>
      row(joinFacts([format.time(at), names[kind], reason, userName]), format.money(cashOfMove({ kind, amount })), {
        indent: 2,
      }),
    ),
  ];
}

function tipBlocks({ tips }: ShiftReport, { format }: PaperContext): Block[] {
  if (tips.length === 0) return [];
  return [
    RULE,
    text("Propinas voluntarias", { bold: true }),
    ...tips.map(({ userName, amount }) => row(userName, format.money(amount), { indent: 2 })),
  ];
}

function lateBlocks({ late }: ShiftReport, { format }: PaperContext): Block[] {
  if (late.length === 0) return [];
  return [
    RULE,
    text("Llegó después del cierre", { bold: true }),
    ...late.map(({ posReference, amount, tip, at, currency, foreignAmount }) => {
      const foreign = foreignAmount === undefined ? undefined : `${currency} ${format.amount(foreignAmount)}`;
      return row(joinFacts([format.time(at), posReference, foreign]), format.money(sum([amount, tip])), { indent: 2 });
    }),
  ];
}
