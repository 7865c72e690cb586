import { PlainHeaders } from "../../packages/models/src/http/plain-headers.ts";

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const REFUSED = /[\0\n\r\u0100-\uffff]/;

/** Replaces the global of this name, whose first use loads Node's entire `fetch`: for short commands, that took longer than the request. */
export class Headers extends PlainHeaders {
  set(name, value) {
    const trimmed = String(value).replace(AROUND, "");
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name`);
    if (REFUSED.test(trimmed)) throw new TypeError(`the header ${name} has an invalid value`);
    super.set(name, trimmed);
  }

  forEach(callback) {
    for (const [name, value] of this) callback(value, name, this);
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }
}
