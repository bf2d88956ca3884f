/** The version of a file's content: its git blob id, which is what every store answers with the bytes. */

/** Needs Web Crypto: Node, and browsers on https and localhost. */
export async function versionOf(bytes: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', whole));
  return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
