/** The contract over HTTP: every request of this page goes through here. */

const JSON_KIND = "application/json";
const SVG_KIND = "image/svg+xml";
/** Milliseconds until a request that got no answer is sent again. */
const RETRY = 400;

/** Tells of every exchange: the events `sent` and `answered` carry it as `detail`. */
export const wire = new EventTarget();

let key = "";

/** Send a key with every request from now on; it is kept nowhere else. */
export function useKey(given) {
  key = given;
}

/** A refusal: `message` is the server's sentence, `code` its reason or its code. */
export class Problem extends Error {
  constructor({ detail, code, reason, errors }) {
    super([detail, ...fieldErrors(errors)].join(" "));
    this.code = reason ?? code;
  }
}

function fieldErrors(errors = {}) {
  return Object.entries(errors).map(([name, found]) => `${name}: ${JSON.stringify(found)}`);
}

/** Return the answer to a GET. */
export async function tell(path) {
  return JSON.parse(await exchange({ method: "GET", path, accept: JSON_KIND }));
}

/** Return the answer of an operation. */
export async function operate(game, operation, fields) {
  return JSON.parse(await posted(game, operation, fields, JSON_KIND));
}

/** Return what `render` draws, as an SVG document. */
export async function draw(game, fields) {
  const text = await posted(game, "render", fields, SVG_KIND);
  return new DOMParser().parseFromString(text, SVG_KIND);
}

function posted(game, operation, fields, accept) {
  const path = `/v1/games/${encodeURIComponent(game)}/${operation}`;
  return exchange({ method: "POST", path, accept, body: JSON.stringify(fields) });
}

async function exchange(call) {
  const began = performance.now();
  wire.dispatchEvent(new CustomEvent("sent", { detail: call }));
  try {
    const response = await reached(call);
    call.status = response.status;
    call.answer = await response.text();
    if (!response.ok) throw problemIn(call);
    return call.answer;
  } finally {
    call.milliseconds = Math.round(performance.now() - began);
    wire.dispatchEvent(new CustomEvent("answered", { detail: call }));
  }
}

/** Return a response; a server that says how long to wait is asked again after that. */
async function reached(call) {
  const response = await fetched(call);
  const seconds = Number(response.headers.get("Retry-After"));
  if (response.status !== 429 || !seconds) return response;
  await pause(seconds * 1000);
  return reached(call);
}

const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Return a response; the server keeps nothing, so a broken line may be tried once more. */
async function fetched(call) {
  try {
    return await fetch(...request(call)).catch(async () => {
      await pause(RETRY);
      return fetch(...request(call));
    });
  } catch {
    throw new Problem({ detail: "The server cannot be reached.", code: "unreachable" });
  }
}

function request({ method, path, accept, body }) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = JSON_KIND;
  if (key) headers.Authorization = `Bearer ${key}`;
  return [path, { method, headers, body }];
}

function problemIn({ status, answer }) {
  try {
    return new Problem(JSON.parse(answer));
  } catch {
    return new Problem({ detail: `The server answered with status ${status}.`, code: `${status}` });
  }
}

/** Return a call as a command for a shell; a key is left to the variable `KEY`. */
export function curl({ method, path, accept, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ["curl -s", quoted(location.origin + path)];
  if (key) parts.push('-H "Authorization: Bearer $KEY"');
  if (accept !== JSON_KIND) parts.push("-H", quoted(`Accept: ${accept}`));
  if (method === "POST") parts.push("-H", quoted(`Content-Type: ${JSON_KIND}`), "-d", quoted(body));
  return parts.join(" ");
}
