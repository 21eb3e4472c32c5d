import { createHubHttpWith, trustingSchemas } from "@comanda/terminal";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Account } from "../../lib/device/account.ts";
import { hubAddress } from "../../lib/device/hub-address.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Returns the restaurant's name, so that users see where they sign in; null until its hub answers. */
function useRestaurantName(): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    createHubHttpWith(trustingSchemas, { url: hubAddress() })
      .hub()
      .then(
        (hub) => setName(hub.name),
        () => {},
      );
  }, []);
  return name;
}

/** The first screen of a device. */
export function SignInScreen({ onSignedIn }: { onSignedIn: (account: Account) => void }) {
  const { t } = useTranslation("signIn");
  const restaurantName = useRestaurantName();
  return (
    <main className="gate">
      {restaurantName !== null && <p className="gate-house">{restaurantName}</p>}
      <h1>{t("signIn")}</h1>
      <SignInForm isFirst onSignedIn={onSignedIn} />
    </main>
  );
}
