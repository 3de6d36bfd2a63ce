// Addresses of rule pages: a trump may have the title of the action it allows.
import type { RulePage } from "../core/protocol";

export const nameOf = (page: RulePage): string => (page.kind === "trump" ? `trump.${page.id}` : page.id);
export const linkOf = (page: RulePage): string => `/rules/${nameOf(page)}`;
