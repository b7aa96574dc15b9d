// Regions of interest of Windows Performance Analyzer: what files `.regions.xml` define. Pure functions.

const mostElements = 20_000;
const mostDepth = 32;
const mostRegions = 200;
const longestText = 200;
const widest = 16; // identifiers, or fields that must match, of a region

const markup = /<\?[^]*?\?>|<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const localName = (name) => name.replace(/^.*:/, "").toLowerCase();

function withoutEntities(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (all, decimal, hexadecimal, name) => {
    const code = decimal ? Number(decimal) : hexadecimal ? parseInt(hexadecimal, 16) : null;
    return code === null ? (entities[name] ?? all) : code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function attributesOf(text) {
  const attributes = Object.create(null);
  for (const [, name, quoted, single] of text.matchAll(attribute)) {
    attributes[localName(name)] = withoutEntities(quoted ?? single);
  }
  return attributes;
}

/**
 * Returns the tree of an XML text: elements {name, attributes, children} with names in lower case, without texts. Document types are
 * refused. Throws a SyntaxError. The parser of the browser is not used: it makes documents, to which the policy of the page applies.
 */
export function treeOfXml(text) {
  const top = { name: "", attributes: {}, children: [] };
  const open = [top];
  let count = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", markup.lastIndex)) {
    markup.lastIndex = at;
    const [all, end, begin, attributes, isEmpty] = markup.exec(text) ?? [];
    if (all === undefined || (end && localName(end) !== open.at(-1).name)) {
      throw new SyntaxError("The file is not valid XML, or defines a document type.");
    }
    if (end) {
      open.pop();
    } else if (begin) {
      const element = { name: localName(begin), attributes: attributesOf(attributes), children: [] };
      open.at(-1).children.push(element);
      if (++count > mostElements || open.length > mostDepth) {
        throw new SyntaxError("The file has too many elements.");
      }
      if (!isEmpty) {
        open.push(element);
      }
    }
  }
  if (open.length > 1 || top.children.length !== 1) {
    throw new SyntaxError("The file is not valid XML.");
  }
  return top.children[0];
}

const childOf = (node, name) => node?.children.find((child) => child.name === name) ?? null;
const allOf = (node, name) => (node?.children ?? []).filter((child) => child.name === name);
const shortText = (text = "") => text.slice(0, longestText);
const isTrue = (text) => /^(?:true|1)$/i.test(text ?? "");

/** Returns a GUID without braces, or null. */
function guidOf(text) {
  const parts = /^\s*\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?\s*$/i.exec(text ?? "");
  return parts && parts[1].toLowerCase();
}

/** Returns a number from 0 to `most`, null if there is none. Throws if it is another text. */
function numberOf(text, most) {
  if (text === undefined) {
    return null;
  }
  const number = /^\s*(?:\d{1,5}|0x[0-9a-f]{1,4})\s*$/i.test(text) ? Number(text) : NaN;
  if (!(number <= most)) {
    throw new SyntaxError(`${shortText(text)} is not a number of an event`);
  }
  return number;
}

function eventOf({ attributes }) {
  const provider = guidOf(attributes.provider);
  const id = numberOf(attributes.id, 65_535);
  const opcode = numberOf(attributes.opcode, 255);
  if (provider === null) {
    throw new SyntaxError("an event has no GUID of a provider");
  }
  // Beside an ID, a name is for people.
  const name = id === null ? shortText(attributes.name) : "";
  if (id === null && opcode === null && name === "") {
    throw new SyntaxError("an event has no ID");
  }
  return { provider, id, opcode, version: numberOf(attributes.version, 255), name };
}

function identifierOf({ attributes }) {
  const relation = attributes.fieldvaluerelationship ?? attributes.fieldvaluerelation ?? "IsEqual";
  if (!["isequal", "doesnotcontain"].includes(relation.toLowerCase()) || !attributes.fieldname) {
    throw new SyntaxError(`the relation ${shortText(relation)} of a field is not known`);
  }
  return { field: shortText(attributes.fieldname), value: shortText(attributes.fieldvalue), isExcluded: relation.toLowerCase() !== "isequal" };
}

const few = (list) => {
  if (list.length > widest) {
    throw new SyntaxError("too many fields");
  }
  return list;
};

/** Returns where a region starts or stops: {kind: "event", "duration", or "region", ...}; null: it has no such end. */
function endOf(node, isStart) {
  const [event, duration, region] = ["event", "duration", "region"].map((name) => childOf(node, name));
  if (event) {
    return { kind: "event", event: eventOf(event), identifiers: few(allOf(node, "payloadidentifier").map(identifierOf)) };
  }
  if (duration) {
    const factor = Number(duration.attributes.multiplier ?? 1);
    if (!duration.attributes.duration || !(factor > 0 && factor <= 1e12)) {
      throw new SyntaxError("a duration has no field");
    }
    return { kind: "duration", event: eventOf(duration), field: shortText(duration.attributes.duration), factor };
  }
  if (region) {
    const guid = guidOf(region.attributes.regionguid);
    if (guid === null) {
      throw new SyntaxError("an end is no region");
    }
    const end = (region.attributes.endpoint ?? (isStart ? "stop" : "start")).toLowerCase();
    return { kind: "region", guid, isStop: end === "stop" };
  }
  if (node) {
    throw new SyntaxError("an end is neither an event, a duration, nor a region");
  }
  return null;
}

/** What start and stop must have in common. */
function matchOf(node) {
  const event = childOf(childOf(node, "match"), "event");
  const { pid, tid, aid } = event?.attributes ?? {};
  const fields = allOf(event, "payload").filter(({ attributes }) => attributes.fieldname);
  return {
    pid: isTrue(pid),
    tid: isTrue(tid),
    activity: isTrue(aid),
    fields: few(fields.map(({ attributes }) => [shortText(attributes.fieldname), shortText(attributes.targetfieldname ?? attributes.fieldname)])),
  };
}

function regionOf(node, level) {
  const { attributes } = node;
  const name = shortText(attributes.friendlyname || attributes.name || "Region");
  try {
    if (childOf(node, "filter")) {
      throw new SyntaxError("conditions are not supported");
    }
    const [start, stop] = [endOf(childOf(node, "start"), true), endOf(childOf(node, "stop"), false)];
    const naming = shortText(childOf(childOf(node, "naming"), "payloadbased")?.attributes.namefield);
    return { region: { guid: guidOf(attributes.guid) ?? "", name, level, start, stop, match: matchOf(node), naming } };
  } catch (error) {
    return { problem: `${name}: ${error.message}` };
  }
}

/**
 * Returns what a file defines: {regions, problems}. Regions follow the one that contains them; `level`: how many contain it. What is
 * not supported is a problem, a line. Throws a SyntaxError if the tree is that of another file. Pure.
 */
export function regionsOfTree(root) {
  const groups = [];
  const find = (node) => (node.name === "regionroot" ? groups.push(node) : node.children.forEach(find));
  find(root);
  if (root.name !== "instrumentationmanifest" || groups.length === 0) {
    throw new SyntaxError("The file defines no regions.");
  }
  const regions = [];
  const problems = [];
  const add = (node, level) => {
    const { region, problem } = regionOf(node, level);
    if (region && regions.length < mostRegions) {
      regions.push(region);
    } else {
      problems.push(problem ?? `${region.name}: only ${mostRegions} regions are read`);
    }
    allOf(node, "region").forEach((child) => add(child, region ? level + 1 : level));
  };
  groups.forEach((group) => add(group, 0));
  return { regions, problems: problems.slice(0, 50) };
}

const isShort = (value) => typeof value === "string" && value.length <= longestText;
const isNumber = (value, most) => value === null || (Number.isInteger(value) && value >= 0 && value <= most);
const isList = (value, isValid) => Array.isArray(value) && value.length <= widest && value.every(isValid);
const isEvent = (value) => guidOf(value?.provider) !== null && isNumber(value.id, 65_535) && isNumber(value.opcode, 255) && isNumber(value.version, 255) && isShort(value.name);
const isIdentifier = (value) => isShort(value?.field) && isShort(value.value);
const isEnd = (value) =>
  value === null ||
  (value?.kind === "event" && isEvent(value.event) && isList(value.identifiers, isIdentifier)) ||
  (value?.kind === "duration" && isEvent(value.event) && isShort(value.field) && value.factor > 0 && value.factor <= 1e12) ||
  (value?.kind === "region" && guidOf(value.guid) !== null);
const isMatch = (value) => isList(value?.fields, (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isShort));

/** Returns whether a value has the form of regions: an address can contain anything. Pure. */
export function isRegions(value) {
  const isOne = (one) => isShort(one?.guid) && isShort(one.name) && isNumber(one.level, mostDepth) && one.level !== null && isEnd(one.start) && isEnd(one.stop) && isMatch(one.match) && isShort(one.naming);
  return Array.isArray(value) && value.length <= mostRegions && value.every(isOne);
}
