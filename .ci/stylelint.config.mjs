/* Style sheets work in the browsers of package.json: those of players and of everybody in older ones than the directors'.
   Two linters look: one by the versions of browsers, one by the year in which all browsers had a property, a value or a
   selector; it also knows `@supports`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { browserslist, playersSheets } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const sheet = (name) => fileURLToPath(new URL(`../static/css/${name}.css`, import.meta.url));
const byVersions = "plugin/no-unsupported-browser-features";
const byYear = "plugin/use-baseline";

/* Selectors that the other linter knows inside and outside of `@supports`, or that a rule of stylelint's own finds. */
const SEEN_OTHERWISE = ["css-container-queries", "css-focus-visible", "css-has", "css-not-sel-list", "text-size-adjust"];
/* Without gaps things stand close together; without `@container` very large text is less well laid out. A browser test
   opens the pages without both: tests/browser/test_old_styles.py. */
const SEEN_BY_TEST = ["flexbox-gap"];
const AT_RULES_SEEN_BY_TEST = ["container"];
/* For paper, mouse, finger and the size of the preview: where they are not known everything is there and works. */
const GRACEFUL = [
  "css-color-adjust", "css-media-scripting", "css-overscroll-behavior", "css-paged-media", "css-touch-action", "css-zoom",
  "css3-cursors", "css3-cursors-grab", "text-size-adjust",
];
/* Likewise, property by property. Browsers have long known `word-break: break-word`, though the standard advises
   against it: `overflow-wrap: anywhere` does the same only since Safari 15.4. */
const GRACEFUL_PROPERTIES = [
  "accent-color", "appearance", "color-scheme", "container-type", "hyphens", "outline", "scroll-margin",
  "text-decoration-thickness", "text-size-adjust", "text-wrap",
];
const YEAR_OF_THE_OLDEST = 2020;

export default {
  plugins: ["stylelint-no-unsupported-browser-features", "stylelint-plugin-use-baseline"],
  ignoreFiles: [fileURLToPath(new URL("../static/vendor/**", import.meta.url))], // taken over as they are
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    "media-feature-range-notation": "prefix",
    [byVersions]: [true, { browsers: browserslist.directors, ignorePartialSupport: true, ignore: GRACEFUL }],
  },
  overrides: [{
    files: playersSheets.map(sheet),
    rules: {
      "selector-not-notation": "simple",
      [byVersions]: [true, {
        browsers: browserslist.players, ignorePartialSupport: true, ignore: [...SEEN_OTHERWISE, ...SEEN_BY_TEST],
      }],
      [byYear]: [true, {
        available: YEAR_OF_THE_OLDEST,
        ignoreAtRules: AT_RULES_SEEN_BY_TEST,
        ignoreProperties: {
          ...Object.fromEntries(GRACEFUL_PROPERTIES.map((name) => [name, ["/^.+$/"]])), "word-break": ["break-word"],
        },
        ignoreSelectors: ["focus-visible"], // else the browser's own ring
      }],
    },
  }],
};
