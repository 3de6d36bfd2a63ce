// The page's gate, beside svelte-check: mistakes the types do not see, functions nobody can follow, lines nobody can read.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", "src/lib/protocol.ts"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      "no-undef": "off", // the compiler knows better
      "no-console": ["error", { allow: ["warn", "error"] }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      complexity: ["error", 20],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "svelte/no-at-html-tags": "off", // our own drawings; a test looks for anything else that could come in
      "svelte/no-navigation-without-resolve": "off", // that is SvelteKit's
      "svelte/prefer-svelte-reactivity": "off", // our maps and sets are made anew, not changed
      "svelte/no-useless-mustaches": "off", // a space that must stay is written {" "}
      "svelte/prefer-writable-derived": "off",
      "svelte/no-unused-svelte-ignore": "off", // svelte-check fails on them where they matter
      "@typescript-eslint/no-this-alias": "off",
      "svelte/require-each-key": "error",
    },
  },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    files: ["src/lib/**/*.ts", "src/motion/fold.ts", "src/motion/zones.ts", "src/motion/player.svelte.ts"],
    rules: { "max-len": ["error", { code: 160, ignoreStrings: true, ignoreTemplateLiterals: true }] },
  },
);
