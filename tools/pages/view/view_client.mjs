// Questions to the server. A question that nobody waits for any more is stopped there.

/** An answer that is not one: `status` of HTTP, `about`, and `at` in an expression. */
export class AskError extends Error {
  constructor(status, { error, about = null, at = null }) {
    super(error);
    this.status = status;
    this.about = about;
    this.at = at;
  }
}

const keyName = "etl-view-key";

export class Client {
  constructor(token) {
    this.token = token;
    this.key = sessionStorage.getItem(keyName) ?? "";
    this.next = 1;
    this.waiting = new Map(); // by slot: {question, abort}
  }

  /** Exchanges the token of the address for a key. */
  async enter() {
    const response = await this.send("enter", { token: this.token }, {});
    const { key } = await response.json();
    this.key = key;
    sessionStorage.setItem(keyName, key);
  }

  send(name, body, headers, signal) {
    return fetch(`/api/${name}`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body), signal, cache: "no-store" });
  }

  async response(name, body, signal, isAgain = false) {
    if (!this.key) {
      await this.enter();
    }
    const response = await this.send(name, body, { "X-Etl-Key": this.key }, signal);
    if (response.status === 401 && this.token && !isAgain) {
      this.key = "";
      return this.response(name, body, signal, true);
    }
    if (!response.ok) {
      const told = await response.json().catch(() => ({ error: `${response.status} ${response.statusText}` }));
      throw new AskError(response.status, told);
    }
    return response;
  }

  /** Asks, and reads the answer with a method of Response: `json`, `arrayBuffer`, `text`. */
  async ask(name, body = {}, form = "json") {
    return (await this.response(name, body))[form]();
  }

  /**
   * Asks the latest question of a slot: the one before it is stopped. Returns null if it is stopped in its turn.
   */
  async latest(slot, name, body = {}, form = "json") {
    this.stop(slot);
    const question = this.next++;
    const abort = new AbortController();
    const own = { question, abort };
    this.waiting.set(slot, own);
    try {
      const response = await this.response(name, { ...body, question }, abort.signal);
      const answer = await response[form]();
      return this.waiting.get(slot) === own ? answer : null;
    } catch (error) {
      if (abort.signal.aborted || error.status === 409) {
        return null;
      }
      throw error;
    } finally {
      if (this.waiting.get(slot) === own) {
        this.waiting.delete(slot);
      }
    }
  }

  /** Stops the question of a slot. */
  stop(slot) {
    const before = this.waiting.get(slot);
    if (before) {
      this.waiting.delete(slot);
      before.abort.abort();
      this.ask("cancel", { question: before.question }).catch(() => {});
    }
  }

  isWaiting(slot) {
    return this.waiting.has(slot);
  }
}
