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

/** No answer came. */
export class NoAnswerError extends Error {}

const keyName = "etl-view-key";

export class Client {
  constructor(token) {
    this.token = token;
    this.key = sessionStorage.getItem(keyName) ?? "";
    this.next = Math.floor(Math.random() * 2 ** 52); // pages with one key have numbers of their own
    this.waiting = new Map(); // by slot: {question, abort}
  }

  /** Exchanges the token of the address for a key. */
  async enter() {
    const response = await this.send("enter", { token: this.token }, {});
    await this.check(response);
    const { key } = await this.received(response.json());
    this.key = key;
    sessionStorage.setItem(keyName, key);
  }

  send(name, body, headers, { signal = undefined, keepalive = false } = {}) {
    return this.received(fetch(`/api/${name}`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body), signal, keepalive, cache: "no-store" }));
  }

  /** Waits for the server; that it does not answer has an error of its own. */
  async received(answer) {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof TypeError ? new NoAnswerError(error.message) : error;
    }
  }

  async check(response) {
    if (!response.ok) {
      const told = await response.json().catch(() => ({ error: `${response.status} ${response.statusText}` }));
      throw new AskError(response.status, told);
    }
  }

  async response(name, body, signal, isAgain = false) {
    if (!this.key) {
      await this.enter();
    }
    const response = await this.send(name, body, { "X-Etl-Key": this.key }, { signal });
    if (response.status === 401 && this.token && !isAgain) {
      this.key = "";
      return this.response(name, body, signal, true);
    }
    await this.check(response);
    return response;
  }

  /** Asks, and reads the answer with a method of Response: `json`, `arrayBuffer`, `text`. */
  async ask(name, body = {}, form = "json") {
    const response = await this.response(name, body);
    return this.received(response[form]());
  }

  /**
   * Asks the latest question of a slot: the one before it is stopped. Returns null if it is stopped in its turn. If it was stopped
   * by nobody here, it is asked once more.
   */
  async latest(slot, name, body = {}, form = "json", isAgain = false) {
    this.stop(slot);
    const question = this.next++;
    const abort = new AbortController();
    const own = { question, abort };
    this.waiting.set(slot, own);
    try {
      const response = await this.response(name, { ...body, question }, abort.signal);
      const answer = await this.received(response[form]());
      return this.waiting.get(slot) === own ? answer : null;
    } catch (error) {
      if (abort.signal.aborted) {
        return null;
      }
      if (error.status === 409 && !isAgain) {
        this.waiting.delete(slot);
        return this.latest(slot, name, body, form, true);
      }
      throw error;
    } finally {
      if (this.waiting.get(slot) === own) {
        this.waiting.delete(slot);
      }
    }
  }

  /** Stops all questions of a page that is closed: nobody waits for them any more. */
  leave() {
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const { question, abort } of left) {
      abort.abort();
      this.send("cancel", { question }, { "X-Etl-Key": this.key }, { keepalive: true }).catch(() => {});
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
}
