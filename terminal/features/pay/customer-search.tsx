import type { Customer, FoundCustomers } from "@comanda/protocol";
import { MAX_SEARCH } from "@comanda/protocol/bounds.ts";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { TextField } from "../../components/text-field.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";

/** Debounces the search in the back-office, in ms. */
const PAUSE_MS = 250;

/** Finds a customer by name, phone or RNC. Shows when only the hub's cached customers were searched. */
export function CustomerSearch({ onChoose }: { onChoose: (customer: Customer) => void }) {
  const { t, format } = useTranslation("pay");
  const terminal = useTerminal();
  const { http } = terminal;
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<FoundCustomers | "failed" | null>(null);
  useEffect(() => {
    let isOld = false;
    const search = () =>
      http.customers({ q: typed.trim(), limit: 20 }).then(
        (answer) => !isOld && setFound(answer),
        () => !isOld && setFound("failed"),
      );
    const timer = setTimeout(() => void search(), typed === "" ? 0 : PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [http, typed]);
  return (
    <div className="stack customer-search">
      <TextField
        label={t("customer")}
        type="search"
        maxLength={MAX_SEARCH}
        value={typed}
        placeholder={t("searchCustomer")}
        onValue={setTyped}
      />
      {found === "failed" && <p data-tone="warn">{t("customersUnreachable")}</p>}
      {found !== null && found !== "failed" && (
        <>
          {found.source === "kept" && (
            <p className="soft">
              {found.asOf === null
                ? t("customersNone")
                : t("customersKept", { time: format.when(found.asOf, terminal.now()) })}
            </p>
          )}
          {found.customers.length === 0 && <p>{t("customerNotFound")}</p>}
          <ul className="customer-list">
            {found.customers.map((customer) => (
              <li key={customer.id}>
                <ActButton className="customer" onAct={() => onChoose(customer)}>
                  <span>{customer.name}</span>
                  <span className="act-more">{joinWithDots(customer.rnc, customer.phone)}</span>
                </ActButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
