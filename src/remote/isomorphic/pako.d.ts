/** The part of pako 1 that is called; the package has no types. */
declare module 'pako/lib/inflate.js' {
  export class Inflate {
    constructor(options: { windowBits: number; chunkSize: number });
    /** `avail_in`: bytes of the last push that were not read. */
    readonly strm: { readonly avail_in: number };
    /** Inflates up to the end of the stream or of `bytes`. */
    push(bytes: Uint8Array, isLast: boolean): boolean;
    /** Called with what was inflated. */
    onData(chunk: Uint8Array): void;
    /** Called at the end of the stream, and where it is damaged; 0 where it is whole. */
    onEnd(status: number): void;
  }
}
