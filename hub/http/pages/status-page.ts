/** The page at `/` while the screens are not built: the health report, refreshed every 2 s. */
export const statusPage: Readonly<Record<string, string>> = {
  "index.html": `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda Hub</title>
<link rel="stylesheet" href="/status.css">
</head>
<body>
<main>
<h1>Comanda Hub</h1>
<p id="sentence" role="status">Reading the hub's state …</p>
<dl id="facts"></dl>
</main>
<script src="/status.js"></script>
</body>
</html>
`,
  "status.css": `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f7f9;color:#1b1f24}
main{max-width:40rem;margin:3rem auto;padding:0 1rem}
#sentence{font-size:1.4rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.4rem 1.5rem}
dt{color:#57606a}
dd{margin:0;font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){body{background:#14171a;color:#e6e8ea}dt{color:#9aa4ae}}
`,
  "status.js": `const names={connectedTerminals:"Terminals connected",activeLeases:"Orders being edited",orders:"Open checks",pendingForward:"Waiting for the back-office",totalForwarded:"Sent to the back-office",lastErpSync:"Last answer of the back-office",webhookPending:"Webhooks waiting",webhookDeadLettered:"Webhooks dead-lettered"};
async function show(){
  const sentence=document.getElementById("sentence");
  try{
    const health=await (await fetch("/health")).json();
    sentence.textContent=health.status==="ok"?"All good: "+health.connectedTerminals+" terminals connected.":"Needs attention: "+health.reasons.join(", ").replaceAll("_"," ")+".";
    document.getElementById("facts").replaceChildren(...Object.entries(names).filter(([key])=>key in health).flatMap(([key,name])=>{
      const term=document.createElement("dt");term.textContent=name;
      const value=document.createElement("dd");value.textContent=key==="lastErpSync"?(health[key]?new Date(health[key]).toLocaleTimeString():"never"):String(health[key]);
      return [term,value];
    }));
  }catch{sentence.textContent="The hub does not answer; trying again …";}
}
show();setInterval(show,2000);
`,
};
