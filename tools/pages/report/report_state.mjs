// What the address of a report keeps: the selection, what tables show, and which parts are open. Pure.
import { AddressForm, addressParts } from "../address.mjs";

const { json, span, text, texts } = addressParts;

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether it says how a table is shown: [filter, name of the column, whether the largest is first, open rows]. */
function isTable(value) {
  return Array.isArray(value) && value.length === 4 && typeof value[0] === "string" && typeof value[1] === "string" && typeof value[2] === "boolean" && Array.isArray(value[3]) && value[3].every(Number.isSafeInteger);
}

export const reportForm = new AddressForm({
  window: { ...span, first: null, isStep: true }, // shown, in 100 ns after the begin; null: all
  part: { ...text, first: "", isStep: true }, // that was gone to: an ID of the page
  find: { ...text, first: "" },
  tables: { ...json((value) => isRecord(value) && Object.values(value).every(isTable)), first: {} }, // by ID
  opened: { ...texts, first: [] }, // parts with details that are open
  by: { ...json((value) => isRecord(value) && Object.values(value).every((one) => typeof one === "string")), first: {} }, // of charts, by title
  hidden: { ...texts, first: [] }, // series of charts: `CPU kettle.exe (4)`
  flame: { ...text, first: "" }, // kind of the graph
});

/** Returns the address of a part of the page, as in a link to it. */
export function partAddress(part) {
  return reportForm.write({ ...reportForm.first(), part });
}
