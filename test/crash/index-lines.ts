/** Git's index, version 2 or 3 (gitformat-index(5)), read a second time: by other code than the engine's. */

export interface IndexLine {
  path: string;
  stage: number;
  oid: string;
  size: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  /** Everything but times, owner and place on disk. */
  text: string;
}

export function indexLines(bytes: Uint8Array): IndexLine[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = bytes.length < 12 ? 0 : view.getUint32(4);
  if (version !== 2 && version !== 3) throw new Error(`an index of version ${version}`);
  const lines: IndexLine[] = [];
  let at = 12;
  for (let left = view.getUint32(8); left > 0; left--) {
    const { line, next } = lineAt(bytes, view, at);
    lines.push(line);
    at = next;
  }
  return lines;
}

function lineAt(bytes: Uint8Array, view: DataView, at: number): { line: IndexLine; next: number } {
  const time = (from: number): bigint =>
    BigInt(view.getUint32(from)) * 1_000_000_000n + BigInt(view.getUint32(from + 4));
  const flags = view.getUint16(at + 60);
  const start = at + (flags & 0x4000 ? 64 : 62);
  const end = bytes.indexOf(0, start);
  const path = new TextDecoder().decode(bytes.subarray(start, end));
  const oid = Buffer.from(bytes.subarray(at + 40, at + 60)).toString('hex');
  const stage = (flags >> 12) & 3;
  const mode = view.getUint32(at + 24).toString(8);
  const more = flags & 0x4000 ? view.getUint16(at + 62) : 0;
  const text = `${mode} ${oid} ${stage} ${flags & 0xc000} ${more} ${path}`;
  const line = {
    path,
    stage,
    oid,
    size: view.getUint32(at + 36),
    mtimeNs: time(at + 8),
    ctimeNs: time(at),
    text,
  };
  return { line, next: at + Math.ceil((end - at + 1) / 8) * 8 };
}
