// The state of a page in its address after `#`, so that reloading, back and forward, and a copied link show the same.

const isText = (value) => typeof value === "string";
const json = (isValid) => ({
  read(value) {
    try {
      const made = JSON.parse(value);
      return isValid(made) ? made : null;
    } catch {
      return null;
    }
  },
  write: (value) => JSON.stringify(value),
});

// Kinds of members: how they are written, and read; null: not valid.
export const addressParts = {
  text: { read: (value) => value, write: (value) => value },
  flag: { read: (value) => value === "1", write: (value) => (value ? "1" : "") },
  number: { read: (value) => (Number.isFinite(Number(value)) ? Number(value) : null), write: String },
  time: { read: (value) => (/^-?\d{1,24}$/.test(value) ? BigInt(value) : null), write: String },
  span: {
    read(value) {
      const parts = /^(-?\d{1,24})_(-?\d{1,24})$/.exec(value);
      return parts && BigInt(parts[1]) < BigInt(parts[2]) ? { from: BigInt(parts[1]), to: BigInt(parts[2]) } : null;
    },
    write: ({ from, to }) => `${from}_${to}`,
  },
  json,
  texts: json((value) => Array.isArray(value) && value.every(isText)),
};

/** What a state consists of, and how it is an address. */
export class AddressForm {
  /**
   * `first`: the value if the address does not contain it. `isStep`: a change is a step for back and forward. `isKept`: it describes
   * no view, and stays as it is when one goes back.
   * @param {Record<string, {read: (value: string) => any, write: (value: any) => string, first: any, isStep?: boolean, isKept?: boolean}>} members
   */
  constructor(members) {
    this.members = members;
  }

  /** Returns the state of a page that was just opened. */
  first() {
    return Object.fromEntries(Object.entries(this.members).map(([name, { first }]) => [name, first]));
  }

  /** Returns an address, without `#`: what differs from the first state. `token`: of a server. */
  write(state, token = "") {
    const parameters = new URLSearchParams(token ? { token } : {});
    for (const [name, { write, first }] of Object.entries(this.members)) {
      const written = state[name] === null ? "" : write(state[name]);
      if (written !== (first === null ? "" : write(first))) {
        parameters.set(name, written);
      }
    }
    return parameters.toString();
  }

  /** Returns the state of an address; parts that are not valid are those of the first state. */
  read(address) {
    const parameters = new URLSearchParams(address);
    const state = this.first();
    for (const [name, { read }] of Object.entries(this.members)) {
      const value = parameters.has(name) ? read(parameters.get(name)) : null;
      state[name] = value ?? state[name];
    }
    return state;
  }

  /** Returns whether going from a state to another is a step for back and forward. */
  isStep(from, to) {
    const written = (state, { write }, name) => (state[name] === null ? "" : write(state[name]));
    return Object.entries(this.members).some(([name, member]) => member.isStep && written(from, member, name) !== written(to, member, name));
  }

  /** Returns the names of the members that stay when one goes back. */
  kept() {
    return Object.keys(this.members).filter((name) => this.members[name].isKept);
  }
}

/** Returns the token of an address. */
export function tokenOf(address) {
  return new URLSearchParams(address).get("token") ?? "";
}

const settleTime = 400; // ms: changes in a row are one step

/** The state, and who follows it. */
export class AddressModel {
  /**
   * @param {AddressForm} form
   * @param {{read: () => string, push: (address: string) => void, replace: (address: string) => void}} place
   */
  constructor(form, place) {
    this.form = form;
    this.place = place;
    this.token = tokenOf(place.read());
    this.state = form.read(place.read());
    this.written = this.state;
    this.listeners = [];
    this.timer = null;
  }

  /** Calls `changed(state, before)` after each change. */
  follow(changed) {
    this.listeners.push(changed);
  }

  change(patch) {
    const before = this.state;
    if (Object.keys(patch).every((name) => before[name] === patch[name])) {
      return;
    }
    this.state = { ...before, ...patch };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), settleTime);
    this.tell(before);
  }

  /** Changes the state without a step for back and forward: no person did it. */
  drift(patch) {
    if (this.timer !== null) {
      this.settle(); // what a person did before is a step
    }
    this.written = { ...this.written, ...patch };
    this.change(patch);
  }

  /** Writes the state to the address. */
  settle() {
    clearTimeout(this.timer);
    this.timer = null;
    const address = this.form.write(this.state, this.token);
    if (address !== this.place.read()) {
      (this.form.isStep(this.written, this.state) ? this.place.push : this.place.replace)(address);
    }
    this.written = this.state;
  }

  /** Takes the state of the address. `isHistory`: after back or forward, not a change by hand. */
  reread(isHistory) {
    clearTimeout(this.timer);
    const before = this.state;
    const kept = isHistory ? this.form.kept() : [];
    this.state = this.written = { ...this.form.read(this.place.read()), ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
    this.token = tokenOf(this.place.read()) || this.token;
    this.settle();
    this.tell(before);
  }

  tell(before) {
    this.listeners.forEach((changed) => changed(this.state, before));
  }
}

const ownState = "page"; // of entries of the history; those that a person typed have none

/** The address of the page as the place of its state. */
export const addressBar = {
  read: () => location.hash.slice(1),
  push: (address) => history.pushState(ownState, "", `#${address}`),
  replace: (address) => history.replaceState(ownState, "", `#${address}`),
};

/** Lets a model follow back, forward, and addresses that are typed. */
export function followHistory(model) {
  history.replaceState(ownState, "");
  addEventListener("popstate", ({ state }) => model.reread(state === ownState));
  addEventListener("pagehide", () => model.settle());
}
