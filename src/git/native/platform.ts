/** What the engine runs on in Node: the disk, zlib and crypto, and the processes of the machine. */

import type { Fs } from '../fs.ts';
import type { Codec } from '../objects/object.ts';
import type { Processes } from '../owner.ts';
import { nativeCodec } from './codec.ts';
import { nodeFs } from './node-fs.ts';
import { nodeProcesses } from './processes.ts';

export interface NodePlatform {
  fs: Fs;
  codec: Codec;
  processes: Processes;
  nativeCrlf: boolean;
  /** `undefined` on Windows. */
  euid: number | undefined;
}

export function nodePlatform(): NodePlatform {
  return {
    fs: nodeFs(),
    codec: nativeCodec,
    processes: nodeProcesses(),
    nativeCrlf: process.platform === 'win32',
    euid: process.geteuid?.(),
  };
}
