// Addresses of pages: a trump may be called like the action it allows.
import type { RulePage } from "../core/protocol";

export const nameOf = (page: RulePage): string => (page.kind === "trump" ? `trump.${page.id}` : page.id);
export const linkOf = (page: RulePage): string => `/rules/${nameOf(page)}`;
