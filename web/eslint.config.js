// Lint rules of the page, run besides svelte-check: errors that types do not catch, complex functions, long lines.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", "src/core/protocol.ts"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      "no-undef": "off", // the TypeScript compiler checks it
      "no-console": ["error", { allow: ["warn", "error"] }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      complexity: ["error", 20],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "svelte/no-at-html-tags": "off", // used for our own drawings only; a test checks that
      "svelte/no-navigation-without-resolve": "off", // for SvelteKit only
      "svelte/prefer-svelte-reactivity": "off", // our maps and sets are replaced, not mutated
      "svelte/no-useless-mustaches": "off", // {" "} keeps a space
      "svelte/prefer-writable-derived": "off",
      "svelte/no-unused-svelte-ignore": "off", // svelte-check reports the relevant ones
      "@typescript-eslint/no-this-alias": "off",
      "svelte/require-each-key": "error",
    },
  },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
);
