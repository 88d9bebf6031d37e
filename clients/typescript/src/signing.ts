/** Return the signature of a picture's address, as `PLYHOST_PICTURE_SECRET` makes it. */
export async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), how, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  const coded = btoa(String.fromCharCode(...digest));
  return coded.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
