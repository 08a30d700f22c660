/* Scripts run in the browsers of package.json, and parse in those that have ECMAScript 2020. */
import { readFileSync } from "node:fs";
import comments from "@eslint-community/eslint-plugin-eslint-comments";
import compat from "eslint-plugin-compat";
import es from "eslint-plugin-es-x";
import globals from "globals";
import members from "./browser-members.mjs";

const { browserslist: { players } } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

export default [
  {
    files: ["static/js/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      ecmaVersion: 2020,
      sourceType: "script",
      globals: { ...globals.browser, ...globals.serviceworker, htmx: "readonly" },
    },
    plugins: { comments, compat, "es-x": es, members },
    settings: { targets: players, lintAllEsApis: true },
    rules: {
      "comments/require-description": "error",
      "compat/compat": "error",
      "members/supported": ["error", players, { own: ["address", "level", "to"] }],
      ...es.configs["flat/restrict-to-es2020"].rules,
      "no-undef": "off",
      "no-restricted-syntax": ["error", {
        selector: "Literal[value=/:has\\(/], TemplateElement[value.raw=/:has\\(/]",
        message: "Chrome 87 does not know the selector :has()",
      }, {
        selector: "NewExpression[callee.name='FormData'][arguments.length>1]",
        message: "Chrome 111 and Safari 16.3 leave out the second argument",
      }],
    },
  },
];
