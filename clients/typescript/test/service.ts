// The real service that the tests ask: the suite starts it and names it here.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { env } from "node:process";
import { Plyhost } from "plyhost-client";

function need(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: see CONTRIBUTING.md`);
  return value;
}

export const key = need("PLYHOST_KEY");
export const secret = need("PLYHOST_SECRET");
export const plyhost = new Plyhost(need("PLYHOST_URL"), { key });

/** Return a file of recorded games, parsed. */
export function readLines(name: string): any[] {
  const text = readFileSync(`${need("PLYHOST_VECTORS")}/${name}`, "utf8");
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

export interface Listening {
  url: string;
  seen: string[];
  close(): void;
}

/** Listen as a service would, and leave the answer to `answer`, told how many came before. */
export async function listen(answer: (link: Socket, count: number) => void): Promise<Listening> {
  const seen: string[] = [];
  const links: Socket[] = [];
  const server = createServer((link) => {
    links.push(link);
    link.on("error", () => {});
    link.once("data", (data) => answer(link, seen.push(data.toString())));
  });
  await new Promise<void>((go) => server.listen(0, "127.0.0.1", go));
  const port = portOf(server.address());
  return { url: `http://127.0.0.1:${port}/`, seen, close: () => (server.close(), links.forEach((link) => link.destroy())) };
}

function portOf(address: AddressInfo | string | null): number {
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
