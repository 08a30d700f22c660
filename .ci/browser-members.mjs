/* Rules about methods and properties by MDN's compatibility data. eslint-plugin-compat knows only some of what is called
   by the name of its interface (`AbortSignal.timeout` it does not), and no methods of an object (`form.requestSubmit`). */
import { createRequire } from "node:module";
import browserslist from "browserslist";

const { api, browsers, javascript: { builtins } } = createRequire(import.meta.url)("@mdn/browser-compat-data");

/* What MDN calls the browsers of browserslist: with the phone's Chrome and Firefox, and the WebView of apps. */
const MDN_NAMES = {
  chrome: ["chrome", "chrome_android", "webview_android"],
  edge: ["edge"],
  firefox: ["firefox", "firefox_android"],
  ios_saf: ["safari_ios"],
  safari: ["safari"],
  samsung: ["samsunginternet_android"],
};

const versionOf = (text) => text.split(".").map(Number);
const isUpTo = (text, limit) => {
  const [version, most] = [versionOf(text.replace("≤", "")), versionOf(limit)];
  for (let i = 0; i < Math.max(version.length, most.length); i += 1) {
    const [a, b] = [version[i] ?? 0, most[i] ?? 0];
    if (a !== b) return a < b;
  }
  return true;
};

/* Firefox for Android was never called 78: the next version counts. */
const releaseFrom = (name, version) => Object.keys(browsers[name].releases)
  .filter((release) => isUpTo(version, release)).sort((a, b) => (isUpTo(a, b) ? -1 : 1))[0];

/* The oldest version of each browser, by its name in MDN's data. */
const oldestOf = (queries) => {
  const oldest = new Map();
  for (const listed of browserslist(queries)) {
    const [browser, range] = listed.split(" ");
    const [version] = range.split("-");
    for (const name of MDN_NAMES[browser] ?? []) {
      if (!oldest.has(name) || isUpTo(version, oldest.get(name))) oldest.set(name, version);
    }
  }
  return new Map([...oldest].map(([name, version]) => [name, releaseFrom(name, version)]));
};

const isIn = (support, version) => [support].flat().some((statement) =>
  typeof statement?.version_added === "string" && statement.version_added !== "preview"
  && !statement.flags && !statement.prefix && !statement.alternative_name && !statement.partial_implementation
  && isUpTo(statement.version_added, version)
  && !(typeof statement.version_removed === "string" && isUpTo(statement.version_removed, version)));

/* The oldest browsers that lack what MDN's data describe. */
const lacksOf = (compat, oldest) => [...oldest]
  .filter(([browser, version]) => !isIn(compat.support[browser], version))
  .map(([browser, version]) => `${browsers[browser].name} ${version}`);

/* The members that an oldest browser has on none of these interfaces, each with the browsers that lack it. */
const lackingOf = (interfaces, oldest) => {
  const lacking = new Map();
  for (const members of interfaces) {
    for (const [name, { __compat: compat }] of Object.entries(members)) {
      if (!compat || name.includes("_")) continue;
      const lacks = lacksOf(compat, oldest);
      const before = lacking.get(name);
      if (!before || lacks.length < before.length) lacking.set(name, lacks);
    }
  }
  return lacking;
};

/* The browsers that lack a static member of an interface, as `AbortSignal.timeout`. */
const lackingStatic = (interfaceName, name, oldest) => {
  const compat = (api[interfaceName] ?? builtins[interfaceName])?.[`${name}_static`]?.__compat;
  return compat && lacksOf(compat, oldest);
};

/* A member behind `?.`, on the left of `??`, `||` or `&&`, or in a condition is looked for before it is used. */
const isGuarded = (node) => {
  const { parent } = node;
  if ((parent.type === "MemberExpression" && parent.object === node)
    || (parent.type === "CallExpression" && parent.callee === node)) return parent.optional;
  if (parent.type === "ChainExpression") return isGuarded(parent);
  if (parent.type === "LogicalExpression" && parent.left === node) return true;
  return ["IfStatement", "ConditionalExpression"].includes(parent.type) && parent.test === node
    || parent.type === "UnaryExpression" && parent.operator === "!";
};

/* Options: the queries for browserslist, and names that our own objects give to their parts. */
const supported = {
  meta: { type: "problem", schema: { type: "array" } },
  create(context) {
    const [queries, { own }] = context.options;
    const oldest = oldestOf(queries);
    const methods = lackingOf(Object.values(builtins), oldest); // of arrays, strings, promises
    const lacking = lackingOf([...Object.values(api), ...Object.values(builtins)], oldest);
    for (const name of own) lacking.delete(name);
    const report = (node, lacks) => {
      if (lacks?.length) context.report({ node, message: `${node.name} is not in ${lacks.join(", ")}` });
    };
    return {
      MemberExpression(node) {
        if (node.computed || isGuarded(node)) return;
        const { name } = node.property;
        if (node.object.type === "Identifier") {
          const lacks = lackingStatic(node.object.name, name, oldest);
          if (lacks) return report(node.property, lacks);
        }
        const isCalled = node.parent.type === "CallExpression" && node.parent.callee === node;
        if (isCalled || !methods.has(name)) report(node.property, lacking.get(name));
      },
      "ObjectPattern > Property": ({ key, computed }) => {
        if (!computed && !methods.has(key.name)) report(key, lacking.get(key.name));
      },
    };
  },
};

export default { rules: { supported } };
