// The browser's own dialog for passkeys. What the server says and hears is JSON; the dialog knows bytes.
import { post } from "../../core/http";
import type { PasskeyOptions } from "../../core/protocol";

/** Whether a passkey can be made here: it is for a host with a name, over a line nobody else can read. */
export const canUsePasskeys = "PublicKeyCredential" in window && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

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

/** The same options with bytes where the dialog wants bytes. */
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

/** Open the dialog; null where whoever was asked would not, or could not. */
async function dialog(open: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const found = await open();
    return found instanceof PublicKeyCredential ? toJson(found) : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Make a passkey for the account one is signed in to; whether there is one now. */
export async function makePasskey(): Promise<boolean> {
  const { options } = await post<PasskeyOptions>("/api/account/passkeys/options");
  const publicKey = decode(options as unknown as Options) as PublicKeyCredentialCreationOptions;
  const credential = await dialog(() => navigator.credentials.create({ publicKey }));
  if (credential === null) return false;
  await post("/api/account/passkeys", { credential });
  return true;
}

/** Sign in by one; whether somebody is signed in now. */
export async function signInByPasskey(): Promise<boolean> {
  const { options } = await post<PasskeyOptions>("/api/sign-in/passkey/options");
  const publicKey = decode(options as unknown as Options) as PublicKeyCredentialRequestOptions;
  const credential = await dialog(() => navigator.credentials.get({ publicKey }));
  if (credential === null) return false;
  await post("/api/sign-in/passkey", { credential });
  return true;
}
