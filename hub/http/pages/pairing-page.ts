import type { Middleware } from "koa";
import type { World } from "../../platform/world.ts";

/** Path of the pairing code (QR). The screens build the same address (renderer/components/pairing-card.tsx). */
const PATH = "/pair";

const headers = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/**
 * The page that a phone shows after scanning the pairing code: that it reaches the hub, and what to do next. It has no script
 * and shows only the hub's name, which discovery announces anyway. `visit` returns whether the code is current.
 */
export function pairingPage(hub: {
  name: string;
  random: World["random"];
  visit: (code: string, peer: string) => boolean;
}): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    const { code } = ctx.query;
    const isCurrent = ctx.method === "GET" && typeof code === "string" && hub.visit(code, ctx.ip);
    const language = ctx.acceptsLanguages("es", "en") === "en" ? "en" : "es";
    ctx.set(headers);
    ctx.type = "text/html; charset=utf-8";
    // The hub would treat two devices with the same name as one.
    const device = `${kindOf(ctx.get("User-Agent"))}-${hub.random.bytes(3).toString("hex")}`;
    ctx.body = render(language, { name: hub.name, host: ctx.host, device, isCurrent });
  };
}

const texts = {
  es: {
    title: (name: string) => `Su teléfono llega al hub de ${name}`,
    current: "La PC del hub ya lo sabe. Puede cerrar esta página.",
    old: "Este código es de antes o ya venció. Para que la PC del hub lo note, escanee el que muestra ahora.",
    open: "Abrir Comanda en este dispositivo",
    next: "¿Usa otra aplicación de meseros? Ponga en ella esta dirección:",
  },
  en: {
    title: (name: string) => `Your phone reaches the hub of ${name}`,
    current: "The hub's PC knows it now. You can close this page.",
    old: "This code is an old one. Scan the one that the hub's PC shows now, so that the PC notices.",
    open: "Open Comanda on this device",
    next: "Do you use another waiter app? Enter this address in it:",
  },
};

/** First part of the device's suggested name, shown in the list of terminals until it is renamed. */
function kindOf(userAgent: string): string {
  if (/iPhone/.test(userAgent)) return "iphone";
  if (/iPad/.test(userAgent)) return "ipad";
  if (/Android/.test(userAgent)) return /Mobile/.test(userAgent) ? "android" : "tablet";
  return "terminal";
}

function render(
  language: "es" | "en",
  { name, host, device, isCurrent }: { name: string; host: string; device: string; isCurrent: boolean },
): string {
  const text = texts[language];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Comanda Hub</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;padding:2rem 1.25rem}main{max-width:32rem;margin:auto}h1{font-size:1.6rem;line-height:1.2}h1::before{content:"✓ ";color:#1a7f37}b{overflow-wrap:anywhere}a{display:block;margin:1.5rem 0;padding:1rem;border-radius:.75rem;background:#0b6e75;color:#fff;font-weight:600;text-align:center;text-decoration:none}</style>
</head>
<body>
<main>
<h1>${escapeHtml(text.title(name))}</h1>
<p>${isCurrent ? text.current : text.old}</p>
<a href="/terminal/?name=${encodeURIComponent(device)}">${text.open}</a>
<p>${text.next} <b>${escapeHtml(host)}</b></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
