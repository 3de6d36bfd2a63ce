// The browser's passkey dialog. The server uses JSON, the dialog bytes.
import { post } from "../../core/http";
import type { PasskeyOptions } from "../../core/protocol";

/** True if a passkey can be made here: this needs a secure origin with a host name. */
export const canUsePasskeys =
  "PublicKeyCredential" in window && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

const bytes = (text: string): ArrayBuffer => {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer;
};
const text = (data: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(data)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

interface Options {
  challenge: string;
  user?: { id: string };
  excludeCredentials?: { id: string }[];
  allowCredentials?: { id: string }[];
}

/** Return the options with bytes for the dialog. */
function decode(options: Options): unknown {
  const ids = (list: { id: string }[] | undefined): unknown => list?.map((one) => ({ ...one, id: bytes(one.id) }));
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user ? { user: { ...options.user, id: bytes(options.user.id) } } : {}),
    ...(options.excludeCredentials ? { excludeCredentials: ids(options.excludeCredentials) } : {}),
    ...(options.allowCredentials ? { allowCredentials: ids(options.allowCredentials) } : {}),
  };
}

function toJson(found: PublicKeyCredential): unknown {
  const response: Record<string, string | null> = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    const value = (found.response as unknown as Record<string, unknown>)[name];
    if (value instanceof ArrayBuffer) response[name] = text(value);
  }
  return { id: found.id, rawId: text(found.rawId), type: found.type, response, clientExtensionResults: {} };
}

/** Open the dialog; return null if it was cancelled or failed. */
async function dialog(open: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const found = await open();
    return found instanceof PublicKeyCredential ? toJson(found) : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Create a passkey for the current account; return true on success. */
export async function makePasskey(): Promise<boolean> {
  const { options } = await post<PasskeyOptions>("/api/account/passkeys/options");
  const publicKey = decode(options as unknown as Options) as PublicKeyCredentialCreationOptions;
  const credential = await dialog(() => navigator.credentials.create({ publicKey }));
  if (credential === null) return false;
  await post("/api/account/passkeys", { credential });
  return true;
}

/** Sign in with a passkey; return true on success. */
export async function signInByPasskey(): Promise<boolean> {
  const { options } = await post<PasskeyOptions>("/api/sign-in/passkey/options");
  const publicKey = decode(options as unknown as Options) as PublicKeyCredentialRequestOptions;
  const credential = await dialog(() => navigator.credentials.get({ publicKey }));
  if (credential === null) return false;
  await post("/api/sign-in/passkey", { credential });
  return true;
}
